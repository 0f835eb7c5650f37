import COpenSSL

/// The one owner of OpenSSL's object of a public key.
package final class PublicKeyObject {
    let pointer: OpaquePointer

    /// Takes the key and frees it in `deinit`.
    init(takingOwnershipOf pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        EVP_PKEY_free(pointer)
    }
}
