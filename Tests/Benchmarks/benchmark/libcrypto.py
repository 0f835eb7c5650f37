"""RS256 signatures by OpenSSL's own library: tens of thousands of them would take too long with a process for each."""
import ctypes
import ctypes.util

from .unmeasured import Unmeasured

MAX_SIGNATURE = 1024


class Key:
    """An RSA private key. Signing lets other threads of this program run."""

    def __init__(self, der):
        self.library = load()
        start = ctypes.c_char_p(der)
        self.key = self.library.d2i_AutoPrivateKey(None, ctypes.byref(start), ctypes.c_long(len(der)))
        if not self.key:
            raise Unmeasured("OpenSSL's library could not read a private key that openssl made")

    def sign(self, message):
        """RSASSA-PKCS1-v1_5 with SHA-256."""
        library = self.library
        signature, length = ctypes.create_string_buffer(MAX_SIGNATURE), ctypes.c_size_t(MAX_SIGNATURE)
        context = library.EVP_MD_CTX_new()
        try:
            begun = library.EVP_DigestSignInit(context, None, library.EVP_sha256(), None, self.key)
            if begun != 1 or library.EVP_DigestSign(
                    context, signature, ctypes.byref(length), message, ctypes.c_size_t(len(message))) != 1:
                raise Unmeasured("OpenSSL's library could not sign")
        finally:
            library.EVP_MD_CTX_free(context)
        return signature.raw[:length.value]

    def verifies(self, signature, message):
        library, context = self.library, self.library.EVP_MD_CTX_new()
        try:
            return library.EVP_DigestVerifyInit(context, None, library.EVP_sha256(), None, self.key) == 1 \
                and library.EVP_DigestVerify(context, signature, ctypes.c_size_t(len(signature)), message,
                                             ctypes.c_size_t(len(message))) == 1
        finally:
            library.EVP_MD_CTX_free(context)


def load():
    name = ctypes.util.find_library("crypto")
    if name is None:
        raise Unmeasured("OpenSSL's library libcrypto was not found")
    library = ctypes.CDLL(name)
    for function in (library.d2i_AutoPrivateKey, library.EVP_MD_CTX_new, library.EVP_sha256):
        function.restype = Pointer
    return library


class Pointer(ctypes.c_void_p):
    """A subclass is not turned into a Python integer, which would be passed on as 32 bits."""
