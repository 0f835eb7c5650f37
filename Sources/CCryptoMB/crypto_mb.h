/* The part of Intel's crypto_mb (Cryptography Primitives Library, formerly IPP Cryptography) that signs with RSA, as its
   reference documents it. The library is loaded at run time; there is nothing to link. */
#pragma once

#include <stdint.h>

/* Eight results of four bits each, that of the first lane in the lowest bits; 0 is success. */
typedef uint32_t CryptoMBStatus;
/* The parameters of an operation for one length of key. */
typedef struct CryptoMBMethodOpaque CryptoMBMethod;

/* mbx_get_cpu_features: what the processor and the system support, a bit each. */
typedef uint64_t (*CryptoMBGetFeatures)(void);
#define CRYPTO_MB_AVX512_IFMA 0x100000000ULL
#define CRYPTO_MB_AVX512_ENABLED_BY_SYSTEM 0x200000000ULL

/* mbx_RSA_private_crt_Method: NULL if there is none for this length. */
typedef const CryptoMBMethod *(*CryptoMBGetMethod)(int bits);

/* mbx_RSA_Method_BufSize: the bytes that an operation works in. */
typedef int (*CryptoMBGetBufferSize)(const CryptoMBMethod *method);

/* mbx_rsa_private_crt_mb8: the private operation of eight keys on a block each. Blocks have the length of the modulus, the
   most significant byte first. Integers have half that length, the least significant word first. */
typedef CryptoMBStatus (*CryptoMBSign)(
    const uint8_t *const from[8], uint8_t *const to[8], const uint64_t *const p[8], const uint64_t *const q[8],
    const uint64_t *const dp[8], const uint64_t *const dq[8], const uint64_t *const inverse_of_q[8], int bits,
    const CryptoMBMethod *method, uint8_t *buffer);
