#pragma once
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ocsp.h>
#include <openssl/param_build.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

/* EVP_MAC_init for HMAC-SHA256. OSSL_PARAM keeps pointers to its strings, which a Swift string does not outlive. */
static inline int EVP_MAC_init_sha256(EVP_MAC_CTX *context, const unsigned char *key, size_t length) {
    char digest[] = "SHA256";
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
        OSSL_PARAM_construct_end(),
    };
    return EVP_MAC_init(context, key, length, parameters);
}

/* The integers of an RSA public key. OSSL_PARAM_BLD, too, keeps pointers to the names. */
static inline int OSSL_PARAM_BLD_push_RSA(OSSL_PARAM_BLD *builder, const BIGNUM *modulus, const BIGNUM *exponent) {
    return OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, modulus) == 1 &&
           OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, exponent) == 1;
}

/* A server's options, since Swift cannot import the SSL_OP_ macros: no compression, no renegotiation, the server's
   order of suites, but ChaCha20 first for clients that prefer it (those without AES in hardware). An end without
   close_notify is no error: its framing says whether a request is whole (RFC 9112 section 9.8). */
static inline void SSL_CTX_set_server_options(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE |
                                     SSL_OP_PRIORITIZE_CHACHA | SSL_OP_IGNORE_UNEXPECTED_EOF);
}

/* The same for a client's. */
static inline void SSL_CTX_set_client_options(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
}

/* A name on one line; Swift cannot import the macro XN_FLAG_RFC2253. */
static inline int X509_NAME_print_rfc2253(BIO *output, const X509_NAME *name) {
    return X509_NAME_print_ex(output, name, 0, XN_FLAG_RFC2253);
}

/* Swift cannot import macros that cast a function. */
static inline void SSL_CTX_set_servername_function(SSL_CTX *context, int (*function)(SSL *, int *, void *), void *data) {
    SSL_CTX_set_tlsext_servername_callback(context, function);
    SSL_CTX_set_tlsext_servername_arg(context, data);
}

static inline void SSL_CTX_set_status_function(SSL_CTX *context, int (*function)(SSL *, void *), void *data) {
    SSL_CTX_set_tlsext_status_cb(context, function);
    SSL_CTX_set_tlsext_status_arg(context, data);
}

/* Sets the function that is called with each record and message of a connection. */
static inline void SSL_set_record_function(SSL *connection,
                                           void (*function)(int, int, int, const void *, size_t, SSL *, void *),
                                           void *data) {
    SSL_set_msg_callback(connection, function);
    SSL_set_msg_callback_arg(connection, data);
}

/* The unchanged text of a subject alternative name of type DNS, e-mail or URI; NULL for others. */
static inline const ASN1_IA5STRING *GENERAL_NAME_get0_text(const GENERAL_NAME *name) {
    return name->type == GEN_DNS || name->type == GEN_EMAIL || name->type == GEN_URI ? name->d.ia5 : NULL;
}
