#pragma once
#include <nghttp2/nghttp2.h>
/* For the memory of sessions. */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* New zeroed pages, which take no memory until they are written to; NULL if out of memory. */
static inline void *cnghttp2_map(size_t size) {
    void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? NULL : pages;
}

/* These came with the fixes of CVE-2023-44487 (1.57.0) and CVE-2024-28182 (1.61.0), and with their backports in
   distributions: a header without one belongs to a release without that fix. They are weak so that a program started
   with an older library than it was built with can report it, instead of failing in the dynamic linker. */
extern __typeof__(nghttp2_option_set_stream_reset_rate_limit) nghttp2_option_set_stream_reset_rate_limit
    __attribute__((weak));
extern __typeof__(nghttp2_option_set_max_continuations) nghttp2_option_set_max_continuations __attribute__((weak));

/* Whether the library has both fixes; Swift cannot test for a missing symbol. */
static inline int nghttp2_has_fixes(void) {
    return nghttp2_option_set_stream_reset_rate_limit != NULL && nghttp2_option_set_max_continuations != NULL;
}
