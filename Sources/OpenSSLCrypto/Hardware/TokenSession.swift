import CPKCS11

/// A token in a slot, with what its description says (PKCS #11 section 3.2).
struct PresentToken {
    let slot: UInt
    /// The token's attributes in a URI.
    let attributes: [PKCS11URI.Attribute: [UInt8]]
    let wantsPIN: Bool
    private let flags: UInt

    /// The tokens in all slots that are ready for use.
    static func all(of module: PKCS11Module) throws(HardwareKeyError) -> [PresentToken] {
        var count: UInt = 0
        try module.call("C_GetSlotList", \.C_GetSlotList) { $0(1, nil, &count) }
        var slots = [UInt](repeating: 0, count: Int(count))
        try module.call("C_GetSlotList", \.C_GetSlotList) { $0(1, &slots, &count) }
        return slots.prefix(Int(count)).compactMap { PresentToken($0, module) }
    }

    /// Nil if the slot is empty by now, or its token is not initialised.
    private init?(_ slot: UInt, _ module: PKCS11Module) {
        var info = CK_TOKEN_INFO()
        guard module.code(\.C_GetTokenInfo, { $0(slot, &info) }).value == CKR_OK,
            info.flags & CKF_TOKEN_INITIALIZED != 0
        else { return nil }
        (self.slot, flags) = (slot, info.flags)
        wantsPIN = info.flags & CKF_LOGIN_REQUIRED != 0
        attributes = [
            .token: Self.text(info.label), .manufacturer: Self.text(info.manufacturerID),
            .model: Self.text(info.model), .serial: Self.text(info.serialNumber),
        ]
    }

    /// Throws if another wrong PIN may lock the token: after one, a service manager must not try it again and again.
    func checkTries(insteadOfRefused: Bool) throws(HardwareKeyError) {
        if flags & CKF_USER_PIN_LOCKED != 0 { throw .pinLocked(token: name) }
        let risks = CKF_USER_PIN_FINAL_TRY | (insteadOfRefused ? 0 : CKF_USER_PIN_COUNT_LOW)
        if flags & risks != 0 { throw .fewTries(token: name) }
    }

    /// Label and serial, by which refused PINs are remembered.
    var identity: [[UInt8]] { [attributes[.token] ?? [], attributes[.serial] ?? []] }

    /// Whether the token is one that the URI means.
    func fits(_ uri: PKCS11URI) -> Bool {
        PKCS11URI.Attribute.ofToken.allSatisfy { uri[$0] == nil || uri[$0] == attributes[$0] }
    }

    /// The label in quotes, for messages.
    var name: String { "\"\(String(decoding: attributes[.token] ?? [], as: UTF8.self))\"" }

    /// A text without the blanks that pad it.
    private static func text<Padded>(_ padded: Padded) -> [UInt8] {
        var bytes = withUnsafeBytes(of: padded) { Array($0) }
        while bytes.last == UInt8(ascii: " ") || bytes.last == 0 { bytes.removeLast() }
        return bytes
    }
}

/// The one owner of a session with a token, in which one thread at a time looks for objects or signs.
final class TokenSession {
    private let module: PKCS11Module
    private let handle: UInt

    init(_ module: PKCS11Module, _ token: PresentToken) throws(HardwareKeyError) {
        var handle: UInt = 0
        try module.call("C_OpenSession", \.C_OpenSession) { $0(token.slot, CKF_SERIAL_SESSION, nil, nil, &handle) }
        (self.module, self.handle) = (module, handle)
    }

    /// Logs in, for all sessions of this process with the token. They stay logged in until the last is closed.
    func logIn(_ pin: TokenPIN, to token: PresentToken) throws(HardwareKeyError) {
        let code = module.code(\.C_Login) { logIn in
            pin.bytes.withUnsafeBufferPointer { logIn(handle, CKU_USER, $0.baseAddress, UInt($0.count)) }
        }
        switch code.value {
        case CKR_OK, CKR_USER_ALREADY_LOGGED_IN: return
        case _ where code.isAboutPIN: throw .refusedPIN(token: token.name, code)
        default: throw .call("C_Login", code)
        }
    }

    /// The objects of a class with the URI's attributes of a key that stay on the token, and are not only of a session.
    func objects(_ kind: UInt, _ uri: PKCS11URI) throws(HardwareKeyError) -> [UInt] {
        var values = [(type: CKA_CLASS, bytes: Self.bytes(of: kind)), (CKA_TOKEN, [UInt8(CK_TRUE)])]
        if let label = uri[.object] { values.append((CKA_LABEL, label)) }
        if let id = uri[.id] { values.append((CKA_ID, id)) }
        let pattern = AttributeList(values)
        try module.call("C_FindObjectsInit", \.C_FindObjectsInit) { $0(handle, pattern.pointer, UInt(pattern.count)) }
        defer { _ = module.code(\.C_FindObjectsFinal) { $0(handle) } }
        // Two would do to know that one is not the only one.
        var objects = [UInt](repeating: 0, count: 16)
        var count: UInt = 0
        try module.call("C_FindObjects", \.C_FindObjects) { $0(handle, &objects, UInt(objects.count), &count) }
        return Array(objects.prefix(Int(count)))
    }

    /// A number as the value of an attribute.
    static func bytes(of number: UInt) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }

    /// The value of an object's attribute; nil if it has none.
    func attribute(_ type: UInt, of object: UInt) -> [UInt8]? {
        var wanted = CK_ATTRIBUTE(type: type, value: nil, length: 0)
        guard read(object, &wanted), wanted.length < 1 << 16 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(wanted.length))
        let isRead = bytes.withUnsafeMutableBytes { buffer in
            wanted.value = buffer.baseAddress
            return read(object, &wanted)
        }
        return isRead ? Array(bytes.prefix(Int(wanted.length))) : nil
    }

    private func read(_ object: UInt, _ wanted: inout CK_ATTRIBUTE) -> Bool {
        module.code(\.C_GetAttributeValue) { $0(handle, object, &wanted, 1) }.value == CKR_OK
    }

    /// The signature of a block by RSASSA-PKCS1-v1_5 (CKM_RSA_PKCS, which pads the block), of at most this many bytes.
    func sign(_ block: [UInt8], by key: UInt, maxBytes: Int) throws(HardwareKeyError) -> [UInt8] {
        var mechanism = CK_MECHANISM(type: CKM_RSA_PKCS, parameter: nil, length: 0)
        let begun = module.code(\.C_SignInit) { $0(handle, &mechanism, key) }
        guard begun.value == CKR_OK else { throw .noSignature("C_SignInit", begun) }
        var (signature, count) = ([UInt8](repeating: 0, count: maxBytes), UInt(maxBytes))
        let signed = module.code(\.C_Sign) { $0(handle, block, UInt(block.count), &signature, &count) }
        guard signed.value == CKR_OK else { throw .noSignature("C_Sign", signed) }
        return Array(signature.prefix(Int(clamping: count)))
    }

    deinit {
        _ = module.code(\.C_CloseSession) { $0(handle) }
    }
}

/// The one owner of a list of attributes and of the memory with their values.
private final class AttributeList {
    let pointer: UnsafeMutablePointer<CK_ATTRIBUTE>
    let count: Int

    init(_ values: [(type: UInt, bytes: [UInt8])]) {
        count = values.count
        pointer = .allocate(capacity: count)
        for (index, value) in values.enumerated() {
            let copy = UnsafeMutableRawPointer.allocate(byteCount: max(1, value.bytes.count), alignment: 8)
            copy.copyMemory(from: value.bytes, byteCount: value.bytes.count)
            let attribute = CK_ATTRIBUTE(type: value.type, value: copy, length: UInt(value.bytes.count))
            (pointer + index).initialize(to: attribute)
        }
    }

    deinit {
        for index in 0..<count { pointer[index].value.deallocate() }
        pointer.deallocate()
    }
}

/// A token's PIN. It never appears in a description.
package struct TokenPIN: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    fileprivate let bytes: [UInt8]
    /// Whether the token has refused another PIN of this process, so that this one is not a repetition.
    package var isInsteadOfRefused = false

    /// A digest under a key that only this process has.
    func digest(_ digest: KeyedDigest) -> String? { try? digest.hex(String(decoding: bytes, as: UTF8.self)) }

    /// The PIN in a file's content, which is one line of text. Throws a predicate of the file.
    package init(fileContent content: [UInt8]) throws(TokenPINError) {
        var bytes = content
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard !bytes.isEmpty else { throw TokenPINError(predicate: "is empty; expected the PIN on one line") }
        guard bytes.count <= 255, bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw TokenPINError(predicate: "is not a PIN; expected one line of at most 255 bytes")
        }
        self.bytes = bytes
    }

    /// Whether both are the same text.
    package static func == (left: TokenPIN, right: TokenPIN) -> Bool { left.bytes == right.bytes }

    package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

    package var description: String { "a PIN" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Why a file holds no PIN.
package struct TokenPINError: Error, Hashable, Sendable {
    /// A predicate of the file.
    package let predicate: String
}
