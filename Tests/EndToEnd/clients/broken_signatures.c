/* Preloaded into the daemon: while the file that BROKEN_SIGNATURES names exists, signing fails, or gives wrong signatures
   if the file begins with "w". */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

typedef int Sign(void *, unsigned char *, size_t *, const unsigned char *, size_t);

int EVP_PKEY_sign(void *context, unsigned char *signature, size_t *length, const unsigned char *digest, size_t count) {
    Sign *sign = (Sign *)dlsym(RTLD_NEXT, "EVP_PKEY_sign");
    FILE *order = fopen(getenv("BROKEN_SIGNATURES"), "r");
    int word = order ? fgetc(order) : EOF;
    if (order) fclose(order);
    if (order && word != 'w') return 0;
    int result = sign(context, signature, length, digest, count);
    if (word == 'w' && signature) signature[*length - 1] ^= 1;
    return result;
}
