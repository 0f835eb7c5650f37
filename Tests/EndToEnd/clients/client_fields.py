"""The headers that each platform's HTTP client adds to a plain request, spelled as it spells them."""

IOS = [
    "Accept: */*", "Accept-Language: en-US,en;q=0.9", "Connection: keep-alive", "Accept-Encoding: gzip, deflate",
    "User-Agent: SampleApp/1 CFNetwork/1568.200.51 Darwin/24.1.0",
]
OKHTTP = ["Connection: Keep-Alive", "Accept-Encoding: gzip", "User-Agent: okhttp/4.12.0"]
ANDROID = [
    "User-Agent: Dalvik/2.1.0 (Linux; U; Android 15; Pixel 9 Build/AP4A.250105.002)", "Connection: Keep-Alive",
    "Accept-Encoding: gzip",
]
REACT_NATIVE = ["Accept: application/json, text/plain, */*"] + OKHTTP
DART = ["user-agent: Dart/3.6 (dart:io)", "accept-encoding: gzip"]
ORIGIN = "https://app.example.com"
BROWSER = [
    "Connection: keep-alive", 'sec-ch-ua: "Chromium";v="142", "Not_A Brand";v="99"', "sec-ch-ua-mobile: ?0",
    'sec-ch-ua-platform: "Linux"', "Accept: */*", f"Origin: {ORIGIN}", f"Referer: {ORIGIN}/",
    "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
    "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: cors", "Sec-Fetch-Dest: empty",
    "Accept-Encoding: gzip, deflate, br, zstd", "Accept-Language: en-US,en;q=0.9",
]
