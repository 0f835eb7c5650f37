#define _GNU_SOURCE
#include "KeyMemory.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

// Address space is reserved once, so that two comparisons tell whose a pointer is. It becomes memory step by step: many
// systems let a process lock 64 KiB, and a key takes 5 KiB, besides 20 KiB while it is read.
enum { RESERVED = 1 << 20, STEP = 1 << 14, GUARD = 1 << 16, UNIT = 32, UNITS = RESERVED / UNIT };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
// Written once, before the first pointer into the reservation exists.
static unsigned char *start;
static struct clinux_key_memory memory;
// How many units are allocated from this one on; 0 where no allocation begins.
static uint16_t allocated[UNITS];
static _Thread_local unsigned depth;

// In a program with the leak sanitizer, which does not search this memory by itself: what only a key points to would be a leak.
extern void __lsan_register_root_region(const void *region, size_t bytes) __attribute__((weak));

void clinux_reserve_keys(void) {
    if (start != NULL) return;
    void *space = mmap(NULL, RESERVED + 2 * GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (space == MAP_FAILED) memory.is_exhausted = true;
    else start = (unsigned char *)space + GUARD;
}

static bool grow(void) {
    if (memory.bytes == RESERVED) return false;
    void *step = start + memory.bytes;
    if (mprotect(step, STEP, PROT_READ | PROT_WRITE) != 0) return false;
    if (mlock(step, STEP) == 0) memory.locked += STEP;
    else if (memory.lock_error == 0) memory.lock_error = errno;
    madvise(step, STEP, MADV_DONTDUMP);
    madvise(step, STEP, MADV_WIPEONFORK);
    memory.bytes += STEP;
    if (__lsan_register_root_region != NULL) __lsan_register_root_region(step, STEP);
    return true;
}

static bool is_key(const void *pointer) { return (uintptr_t)pointer - (uintptr_t)start < RESERVED && start != NULL; }

static size_t unit_of(const void *pointer) { return ((uintptr_t)pointer - (uintptr_t)start) / UNIT; }

// First fit: only the reading of keys allocates here.
static void *take_units(size_t count) {
    size_t at = 0;
    do {
        for (size_t gap = 0; at < memory.bytes / UNIT;) {
            if (allocated[at] != 0) {
                at += allocated[at];
                gap = 0;
            } else {
                at++;
                if (++gap < count) continue;
                at -= count;
                allocated[at] = (uint16_t)count;
                return start + at * UNIT;
            }
        }
        at = 0;
    } while (grow());
    return NULL;
}

static void *take(size_t count) {
    if (start == NULL) return NULL;
    pthread_mutex_lock(&lock);
    void *found = count < RESERVED ? take_units(count / UNIT + 1) : NULL;
    if (found == NULL) memory.is_exhausted = true;
    pthread_mutex_unlock(&lock);
    return found;
}

static size_t size_of(void *pointer) {
    return is_key(pointer) ? (size_t)allocated[unit_of(pointer)] * UNIT : malloc_usable_size(pointer);
}

static void put(void *pointer) {
    pthread_mutex_lock(&lock);
    explicit_bzero(pointer, size_of(pointer));
    allocated[unit_of(pointer)] = 0;
    pthread_mutex_unlock(&lock);
}

void *clinux_key_malloc(size_t count, const char *file, int line) {
    (void)file, (void)line;
    void *found = depth > 0 ? take(count) : NULL;
    return found != NULL ? found : malloc(count);
}

void clinux_key_free(void *pointer, const char *file, int line) {
    (void)file, (void)line;
    if (is_key(pointer)) {
        put(pointer);
        return;
    }
    if (depth > 0 && pointer != NULL) explicit_bzero(pointer, malloc_usable_size(pointer));
    free(pointer);
}

void *clinux_key_realloc(void *pointer, size_t count, const char *file, int line) {
    if (pointer == NULL) return clinux_key_malloc(count, file, line);
    if (count == 0) {
        clinux_key_free(pointer, file, line);
        return NULL;
    }
    if (depth == 0 && !is_key(pointer)) return realloc(pointer, count);
    // What was a key stays one, whoever resizes it.
    void *found = take(count);
    if (found == NULL) found = malloc(count);
    if (found == NULL) return NULL;
    const size_t size = size_of(pointer);
    memcpy(found, pointer, size < count ? size : count);
    clinux_key_free(pointer, file, line);
    return found;
}

void clinux_enter_keys(void) { depth++; }

void clinux_leave_keys(void) { depth--; }

struct clinux_key_memory clinux_key_memory(void) {
    pthread_mutex_lock(&lock);
    struct clinux_key_memory now = memory;
    pthread_mutex_unlock(&lock);
    struct rlimit limit = {.rlim_cur = RLIM_INFINITY};
    getrlimit(RLIMIT_MEMLOCK, &limit);
    now.lock_limit = limit.rlim_cur == RLIM_INFINITY ? SIZE_MAX : limit.rlim_cur;
    return now;
}

// The bytes of freed memory, and of memory that is allocated other than from a thread's cache (mallopt(3), M_PERTURB).
enum { FREED = 0xA5, FRESH = FREED ^ 0xFF };

// A thread keeps up to 7 freed chunks of each of 64 sizes without overwriting them. Those come first when they are
// allocated again; the first fresh one shows that no other is left.
static void wipe_cache(void) {
    enum { SIZES = 64, CHUNKS = 7, SMALLEST = 24, DISTANCE = 16, STACK = 1 << 16 };
    for (int size = 0; size < SIZES; size++) {
        const size_t count = SMALLEST + DISTANCE * size;
        unsigned char *chunks[CHUNKS];
        int held = 0;
        for (bool is_fresh = false; held < CHUNKS && !is_fresh; held++) {
            unsigned char *volatile chunk = malloc(count);
            chunks[held] = chunk;
            if (chunk == NULL) break;
            uint64_t middle, fresh;
            // Where a cached chunk has a zero.
            memcpy(&middle, chunk + sizeof middle, sizeof middle);
            memset(&fresh, FRESH, sizeof fresh);
            is_fresh = middle == fresh;
            explicit_bzero(chunk, count);
        }
        while (held > 0) free(chunks[--held]);
    }
    unsigned char stack[STACK];
    explicit_bzero(stack, sizeof stack);
}

static pthread_mutex_t wiping = PTHREAD_MUTEX_INITIALIZER;
static unsigned wipers;

void clinux_begin_wiping(void) {
    pthread_mutex_lock(&wiping);
    if (wipers++ == 0) mallopt(M_PERTURB, FREED);
    pthread_mutex_unlock(&wiping);
}

void clinux_end_wiping(void) {
    wipe_cache();
    pthread_mutex_lock(&wiping);
    if (--wipers == 0) mallopt(M_PERTURB, 0);
    pthread_mutex_unlock(&wiping);
}
