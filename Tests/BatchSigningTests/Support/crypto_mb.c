/* Stands in for Intel's crypto_mb on any processor: the same functions, with OpenSSL's integers. With WRONG_FROM, the call
   of that number (from 0) and all later ones flip a bit in the result of lane WRONG_LANE. */
#include <openssl/bn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef WRONG_FROM
#define WRONG_FROM -1
#endif
#ifndef WRONG_LANE
#define WRONG_LANE 0
#endif

enum { BLOCK = 256, HALF = 128 };

uint64_t mbx_get_cpu_features(void) { return 0x300000000; }
const void *mbx_RSA_private_crt_Method(int bits) { return bits == 8 * BLOCK ? "method" : NULL; }
int mbx_RSA_Method_BufSize(const void *method) { return method ? 64 : 0; }

static void sign(const uint8_t *from, uint8_t *to, const uint64_t *const words[5]) {
    BN_CTX *context = BN_CTX_new();
    BIGNUM *block = BN_bin2bn(from, BLOCK, NULL), *integers[5], *first = BN_new(), *second = BN_new();
    for (int i = 0; i < 5; i++) integers[i] = BN_lebin2bn((const uint8_t *)words[i], HALF, NULL);
    BIGNUM *p = integers[0], *q = integers[1];
    BN_mod_exp(first, block, integers[2], p, context);
    BN_mod_exp(second, block, integers[3], q, context);
    BN_mod_sub(first, first, second, p, context);
    BN_mod_mul(first, first, integers[4], p, context);
    BN_mul(first, first, q, context);
    BN_add(first, first, second);
    BN_bn2binpad(first, to, BLOCK);
    for (int i = 0; i < 5; i++) BN_clear_free(integers[i]);
    BN_free(block);
    BN_free(first);
    BN_free(second);
    BN_CTX_free(context);
}

uint32_t mbx_rsa_private_crt_mb8(
    const uint8_t *const from[8], uint8_t *const to[8], const uint64_t *const p[8], const uint64_t *const q[8],
    const uint64_t *const dp[8], const uint64_t *const dq[8], const uint64_t *const inverse_of_q[8], int bits,
    const void *method, uint8_t *buffer) {
    static atomic_int calls;
    int call = atomic_fetch_add(&calls, 1);
    for (int lane = 0; lane < 8; lane++) {
        const uint64_t *const words[] = {p[lane], q[lane], dp[lane], dq[lane], inverse_of_q[lane]};
        sign(from[lane], to[lane], words);
    }
    if (WRONG_FROM >= 0 && call >= WRONG_FROM) to[WRONG_LANE][100] ^= 1;
    return bits == 8 * BLOCK && method && buffer ? 0 : 0x11111111;
}
