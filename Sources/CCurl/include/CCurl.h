// libcurl without linking it: its 28 shared objects are loaded only when outgoing requests are needed. Each function
// here calls the libcurl function of its name; variadic ones have one form for each type that is used.
#pragma once
#define CURL_DISABLE_DEPRECATION
#include <curl/curl.h>
// For strerror, which describes the system errors that libcurl reports.
#include <string.h>

/// Loads the library and finds its functions. Returns NULL, or the message of dlerror(3). Call it from one thread, and
/// call nothing else here before it has returned NULL.
const char *ccurl_load(const char *library);

CURLcode ccurl_global_init(long flags);

const char *ccurl_easy_strerror(CURLcode code);
const char *ccurl_multi_strerror(CURLMcode code);

CURL *ccurl_easy_init(void);
void ccurl_easy_cleanup(CURL *easy);
CURLcode ccurl_easy_setopt_long(CURL *easy, CURLoption option, long value);
CURLcode ccurl_easy_setopt_pointer(CURL *easy, CURLoption option, const void *value);
/// CURLOPT_CAINFO_BLOB; the bytes must outlive the handle.
CURLcode ccurl_easy_setopt_authorities(CURL *easy, const void *bytes, size_t count);
CURLcode ccurl_easy_setopt_receiver(CURL *easy, CURLoption option, curl_write_callback value);
/// The kernel closes a connection whose peer acknowledges nothing for so long (TCP_USER_TIMEOUT, tcp(7)).
CURLcode ccurl_easy_limit_silence(CURL *easy, unsigned milliseconds);
CURLcode ccurl_easy_getinfo_long(CURL *easy, CURLINFO info, long *value);
CURLcode ccurl_easy_getinfo_offset(CURL *easy, CURLINFO info, curl_off_t *value);
CURLcode ccurl_easy_getinfo_string(CURL *easy, CURLINFO info, const char **value);
struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *text);
void ccurl_slist_free_all(struct curl_slist *list);

CURLM *ccurl_multi_init(void);
void ccurl_multi_cleanup(CURLM *multi);
CURLMcode ccurl_multi_setopt_long(CURLM *multi, CURLMoption option, long value);
CURLMcode ccurl_multi_add_handle(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_remove_handle(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_perform(CURLM *multi);
CURLMcode ccurl_multi_poll(CURLM *multi, int milliseconds);
CURLMcode ccurl_multi_wakeup(CURLM *multi);
/// The next transfer that has ended, with its result; NULL if there is none.
CURL *ccurl_multi_next_done(CURLM *multi, CURLcode *result);
