#pragma once
#include <nghttp2/nghttp2.h>
/* For the memory that sessions are given. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Pages of their own, which are zero and take no memory until they are written to; NULL if there are none. */
static inline void *cnghttp2_map(size_t size) {
    void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? NULL : pages;
}

/* Both came with the fixes of CVE-2023-44487 (1.57.0) and CVE-2024-28182 (1.61.0), and with those that distributions have
   put into older releases: who builds with a header that lacks one has the release that lacks the fix. Weak, so that a
   program that is started with an older library than it was built with can say so instead of being ended by the linker. */
extern __typeof__(nghttp2_option_set_stream_reset_rate_limit) nghttp2_option_set_stream_reset_rate_limit
    __attribute__((weak));
extern __typeof__(nghttp2_option_set_max_continuations) nghttp2_option_set_max_continuations __attribute__((weak));

/* Whether the library has both fixes; a symbol's absence is nothing that Swift could ask for. */
static inline int nghttp2_has_fixes(void) {
    return nghttp2_option_set_stream_reset_rate_limit != NULL && nghttp2_option_set_max_continuations != NULL;
}
