extension String {
    /// The media type of a Content-Type header, in lower case and without parameters (RFC 9110 section 8.3.1).
    package var mediaType: String { String(decoding: Array(mediaTypeBytes), as: UTF8.self) }

    /// Whether a Content-Type header names this media type, which is in lower case. Nothing is copied, since the answer to
    /// every signature passes here.
    package func hasMediaType(_ type: String) -> Bool { mediaTypeBytes.elementsEqual(type.utf8) }

    private var mediaTypeBytes: some Sequence<UInt8> {
        let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
        return utf8.lazy.prefix { $0 != UInt8(ascii: ";") }
            .filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
            .map { capitals.contains($0) ? $0 | 0x20 : $0 }
    }
}
