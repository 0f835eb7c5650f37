// Memory for private keys: locked, between guard pages, left out of core dumps and overwritten when it is freed.
#pragma once
#include <stdbool.h>
#include <stddef.h>

/// Reserves the memory. Call it before other threads allocate.
void clinux_reserve_keys(void);

/// Allocates for OpenSSL (CRYPTO_set_mem_functions(3)): for keys while the calling thread holds them, otherwise as
/// malloc(3). The functions free and resize the memory of both.
void *clinux_key_malloc(size_t count, const char *file, int line);
void *clinux_key_realloc(void *memory, size_t count, const char *file, int line);
void clinux_key_free(void *memory, const char *file, int line);

/// Until the same number of calls to `clinux_leave_keys`, allocations of this thread are for keys, and what it frees is
/// overwritten.
void clinux_enter_keys(void);
void clinux_leave_keys(void);

/// The memory for keys.
struct clinux_key_memory {
    /// Bytes that were taken from the system, and how many of them are locked.
    size_t bytes, locked;
    /// errno of mlock(2); 0 if all are locked.
    int lock_error;
    /// The limit of locked memory in bytes, RLIMIT_MEMLOCK; SIZE_MAX for none.
    size_t lock_limit;
    /// Whether keys are in ordinary memory because this one is full or could not be had.
    bool is_exhausted;
};
struct clinux_key_memory clinux_key_memory(void);

/// Between these calls, all memory that any thread gives back to malloc(3) is overwritten; the last `end` also overwrites
/// what the calling thread gave back to its cache, and its unused stack.
void clinux_begin_wiping(void);
void clinux_end_wiping(void);
