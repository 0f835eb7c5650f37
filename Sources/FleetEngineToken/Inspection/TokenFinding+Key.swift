/// What a token says of its key, against a key file.
extension TokenFinding {
    /// `kid` is not the id of the file's key: it is why Fleet Engine refuses a token that this very key signed.
    package static func keyIDUnlikeKey(_ keyID: String, isVerified: Bool) -> TokenFinding {
        TokenFinding(
            .keyIDUnlikeKey, isVerified ? .refused : .note, "header.kid",
            "kid is not the private_key_id of the key file, \(Quoted.text(keyID))"
                + (isVerified ? ", so Google looks for another key" : ""),
            fix: isVerified ? "set kid to the file's private_key_id" : "give the key file that signed the token")
    }

    /// `iss` is not the account of the file's key.
    package static func issuerUnlikeKey(_ account: String, isVerified: Bool) -> TokenFinding {
        TokenFinding(
            .issuerUnlikeKey, isVerified ? .refused : .note, "iss",
            "iss is not the client_email of the key file, \(Quoted.text(account))"
                + (isVerified ? ", so Google looks for another account's key" : ""),
            fix: isVerified ? "set iss and sub to the file's client_email" : "give the key file that signed the token")
    }
}
