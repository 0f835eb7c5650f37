#include "CCurl.h"

#include <dlfcn.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#define FUNCTIONS(F)                                                                                                   \
    F(global_init) F(easy_init) F(easy_cleanup) F(easy_setopt) F(easy_getinfo) F(easy_strerror) F(slist_append)        \
    F(slist_free_all) F(multi_init) F(multi_cleanup) F(multi_setopt) F(multi_add_handle) F(multi_remove_handle)        \
    F(multi_perform) F(multi_poll) F(multi_wakeup) F(multi_info_read) F(multi_strerror)

static struct {
#define POINTER(name) __typeof__(curl_##name) *name;
    FUNCTIONS(POINTER)
} curl;

const char *ccurl_load(const char *library) {
    // Never closed: libcurl and what it loads register handlers that outlive any user of it.
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return dlerror();
#define FIND(name) if (!(curl.name = (__typeof__(curl.name))dlsym(handle, "curl_" #name))) return dlerror();
    FUNCTIONS(FIND)
    return NULL;
}

CURLcode ccurl_global_init(long flags) { return curl.global_init(flags); }

const char *ccurl_easy_strerror(CURLcode code) { return curl.easy_strerror(code); }
const char *ccurl_multi_strerror(CURLMcode code) { return curl.multi_strerror(code); }

CURL *ccurl_easy_init(void) { return curl.easy_init(); }
void ccurl_easy_cleanup(CURL *easy) { curl.easy_cleanup(easy); }

CURLcode ccurl_easy_setopt_long(CURL *easy, CURLoption option, long value) {
    return curl.easy_setopt(easy, option, value);
}

CURLcode ccurl_easy_setopt_pointer(CURL *easy, CURLoption option, const void *value) {
    return curl.easy_setopt(easy, option, value);
}

CURLcode ccurl_easy_setopt_authorities(CURL *easy, const void *bytes, size_t count) {
    struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_NOCOPY};
    return curl.easy_setopt(easy, CURLOPT_CAINFO_BLOB, &blob);
}

CURLcode ccurl_easy_setopt_receiver(CURL *easy, CURLoption option, curl_write_callback value) {
    return curl.easy_setopt(easy, option, value);
}

static int limit_silence(void *milliseconds, curl_socket_t descriptor, curlsocktype purpose) {
    unsigned value = (uintptr_t)milliseconds;
    setsockopt(descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT, &value, sizeof value);
    return CURL_SOCKOPT_OK;
}

CURLcode ccurl_easy_limit_silence(CURL *easy, unsigned milliseconds) {
    CURLcode code = curl.easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, limit_silence);
    return code ? code : curl.easy_setopt(easy, CURLOPT_SOCKOPTDATA, (void *)(uintptr_t)milliseconds);
}

CURLcode ccurl_easy_getinfo_long(CURL *easy, CURLINFO info, long *value) {
    return curl.easy_getinfo(easy, info, value);
}

CURLcode ccurl_easy_getinfo_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl.easy_getinfo(easy, info, value);
}

CURLcode ccurl_easy_getinfo_string(CURL *easy, CURLINFO info, const char **value) {
    return curl.easy_getinfo(easy, info, value);
}

struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *text) {
    return curl.slist_append(list, text);
}

void ccurl_slist_free_all(struct curl_slist *list) { curl.slist_free_all(list); }

CURLM *ccurl_multi_init(void) { return curl.multi_init(); }
void ccurl_multi_cleanup(CURLM *multi) { curl.multi_cleanup(multi); }

CURLMcode ccurl_multi_setopt_long(CURLM *multi, CURLMoption option, long value) {
    return curl.multi_setopt(multi, option, value);
}

CURLMcode ccurl_multi_add_handle(CURLM *multi, CURL *easy) { return curl.multi_add_handle(multi, easy); }
CURLMcode ccurl_multi_remove_handle(CURLM *multi, CURL *easy) { return curl.multi_remove_handle(multi, easy); }

CURLMcode ccurl_multi_perform(CURLM *multi) {
    int running;
    return curl.multi_perform(multi, &running);
}

CURLMcode ccurl_multi_poll(CURLM *multi, int milliseconds) {
    return curl.multi_poll(multi, NULL, 0, milliseconds, NULL);
}

CURLMcode ccurl_multi_wakeup(CURLM *multi) { return curl.multi_wakeup(multi); }

CURL *ccurl_multi_next_done(CURLM *multi, CURLcode *result) {
    int left;
    for (const CURLMsg *message; (message = curl.multi_info_read(multi, &left));) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}
