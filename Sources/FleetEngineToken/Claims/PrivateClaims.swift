import StrictJSON

/// The private claims (RFC 7519 section 4.3) in a token's `authorization` member: what Fleet Engine lets its bearer
/// see. The cases are exactly the rows of the table in FleetEngineContract.md, "Kinds of tokens", so no token can have
/// a combination that Fleet Engine refuses, or another kind's claims.
package enum PrivateClaims: Hashable, Sendable {
    /// One trip: a consumer token.
    case trip(FleetEngineID)
    /// One vehicle: a driver token.
    case vehicle(FleetEngineID)
    /// One delivery vehicle: an untrusted delivery driver token.
    case untrustedDeliveryVehicle(FleetEngineID)
    /// One delivery vehicle, and optionally one task: a trusted delivery driver token.
    // Only this case has two ids. As an indirect case it leaves the enumeration as small as one id.
    indirect case trustedDeliveryVehicle(FleetEngineID, task: FleetEngineID?)
    /// One shipment, by its tracking id: a delivery consumer token.
    case trackingID(FleetEngineID)
    /// One task: a delivery consumer token.
    case task(FleetEngineID)
    /// Several tasks: a task batch token.
    case tasks(TaskBatch)
    /// Every task: a task batch token with the wildcard.
    case everyTask
    /// All trips and vehicles: a server token.
    case server
    /// All of deliveries: a delivery server token.
    case deliveryServer
    /// All of deliveries: a delivery fleet reader token.
    case deliveryFleetReader
    /// Everything: a fleet reader token.
    case fleetReader

    /// The kind of token that carries these claims.
    package var kind: TokenKind {
        switch self {
        case .trip: .consumer
        case .vehicle: .driver
        case .untrustedDeliveryVehicle: .untrustedDeliveryDriver
        case .trustedDeliveryVehicle: .trustedDeliveryDriver
        case .trackingID, .task: .deliveryConsumer
        case .tasks, .everyTask: .taskBatch
        case .server: .server
        case .deliveryServer: .deliveryServer
        case .deliveryFleetReader: .deliveryFleetReader
        case .fleetReader: .fleetReader
        }
    }

    /// The claims of a kind that names no id; nil for other kinds.
    package init?(wildcard kind: TokenKind) {
        switch kind {
        case .server: self = .server
        case .deliveryServer: self = .deliveryServer
        case .deliveryFleetReader: self = .deliveryFleetReader
        case .fleetReader: self = .fleetReader
        default: return nil
        }
    }

    /// The ids the token is restricted to; none for a wildcard.
    package var ids: [FleetEngineID] {
        if case .tasks(let batch) = self { return batch.ids }
        var ids: [FleetEngineID] = []
        forEachPart { ids.append(FleetEngineID(valid: $0)) }
        return ids
    }

    /// Calls the closure with the text of each id, or of a whole batch, without allocating a list.
    private func forEachPart(_ body: (String) -> Void) {
        switch self {
        case .trip(let id), .vehicle(let id), .untrustedDeliveryVehicle(let id), .trackingID(let id), .task(let id):
            body(id.text)
        case .trustedDeliveryVehicle(let id, let task):
            body(id.text)
            if let task { body(task.text) }
        case .tasks(let batch): body(batch.text)
        case .everyTask, .server, .deliveryServer, .deliveryFleetReader, .fleetReader: break
        }
    }

    /// Bytes of the ids in UTF-8, with the commas between those of a batch.
    var idBytes: Int {
        var sum = 0
        forEachPart { sum += $0.utf8.count }
        return sum
    }

    /// Bytes that they take in memory besides the value itself, estimated rather too high.
    package var heapBytes: Int {
        var sum = 64
        forEachPart { sum += 2 * MemoryLayout<FleetEngineID>.stride + $0.heapBytes }
        return sum
    }
}

/// The claims as bytes: the number of the case, and a slash before each id or batch. No id contains a slash or a
/// comma, so only equal claims have equal bytes.
extension PrivateClaims {
    var encoded: [UInt8] {
        var bytes = [number]
        forEachPart { part in
            bytes.append(UInt8(ascii: "/"))
            bytes.append(contentsOf: part.utf8)
        }
        return bytes
    }

    /// Whether these are the claims as bytes.
    func areEncoded(as bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.first == number else { return false }
        var end = 1
        var isSame = true
        forEachPart { part in
            let text = part.utf8
            let start = end + 1
            end = start + text.count
            guard isSame, end <= bytes.count, bytes[start - 1] == UInt8(ascii: "/") else { return isSame = false }
            let other = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            isSame =
                text.withContiguousStorageIfAvailable { UnsafeRawBufferPointer($0).hasSameBytes(as: other) }
                ?? text.elementsEqual(other)
        }
        return isSame && end == bytes.count
    }

    private var number: UInt8 {
        switch self {
        case .trip: 0
        case .vehicle: 1
        case .untrustedDeliveryVehicle: 2
        case .trustedDeliveryVehicle: 3
        case .trackingID: 4
        case .task: 5
        case .tasks: 6
        case .everyTask: 7
        case .server: 8
        case .deliveryServer: 9
        case .deliveryFleetReader: 10
        case .fleetReader: 11
        }
    }
}

/// The id of a trip, vehicle, task or shipment, by the rules of Fleet Engine's protocol buffers
/// (FleetEngineContract.md, "Ids") and some of ours. It is valid once it exists, and never the wildcard.
///
/// Only Normalization Form C is accepted, so two ids are equal exactly if their bytes are: Swift compares strings by
/// canonical equivalence, and only one spelling of each such class is an id. Other forms are refused and not rewritten,
/// because client and claim must have the same bytes.
package struct FleetEngineID: Hashable, Sendable {
    /// The id as it is in the claim: 1 to 64 Unicode scalars.
    package let text: String

    /// An id from any text. Throws the first rule that the text breaks.
    package init(_ text: String) throws(FleetEngineIDError) {
        try FleetEngineIDRules.check(text)
        self.text = text
    }

    /// The id that has this text.
    init(valid text: String) { self.text = text }

    /// An id from percent-decoded bytes (RFC 3986 section 2.1). Throws `notUTF8` if the bytes are not well-formed UTF-8
    /// (RFC 3629), otherwise the first rule that the text breaks.
    package init(percentDecoded bytes: [UInt8]) throws(FleetEngineIDError) {
        // Validated, not repaired: a repaired byte would let two different requests share one id.
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        try self.init(text)
    }

    /// An id from a range of bytes that are only letters, digits, "-" and "_", as in nearly every id. They are the same
    /// in any encoding, and one pass over them checks every rule. Nil if there is any other byte, or too many.
    package init?(plain bytes: Span<UInt8>, _ range: Range<Int>) {
        guard FleetEngineIDRules.isPlain(bytes, range) else { return nil }
        text = bytes.extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}

// For Normalization Form C. Otherwise only Foundation has it, which adds 40 MB to a static binary.
@_spi(_Unicode) import Swift

/// The rules for an id: those of Fleet Engine's protocol buffers (valid Unicode, at most 64 characters,
/// Normalization Form C, none of `/ : ? , #`) and ours (not empty, no control characters, no white space around it, no
/// dot segment of RFC 3986 section 3.3, not the wildcard).
enum FleetEngineIDRules {
    /// The most Unicode scalars an id may have.
    static let maxScalars = 64

    static func check(_ text: String) throws(FleetEngineIDError) {
        try checkLength(text.isASCII ? text.utf8.count : text.unicodeScalars.count)
        try checkCharacters(text.unicodeScalars)
        try checkEdges(text.unicodeScalars)
        try checkWhole(text)
        guard text.isInNormalizationFormC else { throw .notNFC }
    }

    /// Whether bytes cannot break any rule. Nearly every id consists of letters, digits, "-" and "_", which one pass
    /// over the bytes detects.
    static func isPlain(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard (1...maxScalars).contains(range.count) else { return false }
        return bytes.extracting(range).withUnsafeBufferPointer { bytes in
            bytes.allSatisfy { byte in
                let isLetter = (byte | 0x20) &- 0x61 < 26
                return isLetter || byte &- 0x30 < 10 || byte == 0x2D || byte == 0x5F
            }
        }
    }

    private static func checkLength(_ scalars: Int) throws(FleetEngineIDError) {
        guard scalars > 0 else { throw .empty }
        guard scalars <= maxScalars else { throw .tooLong(scalars: scalars) }
    }

    private static func checkCharacters(_ scalars: String.UnicodeScalarView) throws(FleetEngineIDError) {
        for scalar in scalars {
            switch scalar.value {
            case 0x00...0x1F, 0x7F...0x9F: throw .controlCharacter(scalar)  // C0, DEL and C1: all of category Cc
            case 0x23, 0x2C, 0x2F, 0x3A, 0x3F: throw .forbiddenCharacter(scalar)  // # , / : ?
            default: continue
            }
        }
    }

    private static func checkEdges(_ scalars: String.UnicodeScalarView) throws(FleetEngineIDError) {
        if let first = scalars.first, first.isWhiteSpace { throw .surroundingWhiteSpace(first) }
        if let last = scalars.last, last.isWhiteSpace { throw .surroundingWhiteSpace(last) }
    }

    private static func checkWhole(_ text: String) throws(FleetEngineIDError) {
        switch text {
        case ".", "..": throw .dotSegment
        case "*": throw .wildcard
        default: return
        }
    }
}

extension String {
    fileprivate var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }

    /// Whether it is in Normalization Form C: two such texts are equal exactly if their bytes are.
    package var isInNormalizationFormC: Bool {
        // ASCII always is; nothing is allocated for it.
        isASCII || _nfc.elementsEqual(unicodeScalars)
    }
}

extension Unicode.Scalar {
    /// Whether the scalar has Unicode's White_Space property; of ASCII, control characters aside, only the space has.
    fileprivate var isWhiteSpace: Bool {
        isASCII ? self == " " : properties.isWhitespace
    }
}
