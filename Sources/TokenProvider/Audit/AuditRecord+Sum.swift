import FleetEngineToken
import HTTPServer

extension AuditRecord {
    /// A record of refusals that are told as one: it says no more of them than all have in common.
    init(_ sum: RefusalTally.Sum) {
        let refusal = sum.refusal
        let peer: String? =
            switch refusal.caller {
            case .network(let address): address.subscriberText
            case .socket: Self.socketPeer
            case .principal, .others: nil
            }
        self.init(refusal.outcome, requestID: nil, peer: peer)
        count = sum.count
        principal = sum.principal.flatMap(Self.named)
        self.refusal = (refusal.code, refusal.reason)
    }

    /// Of how many requests a line is the record.
    static func requests(in line: [UInt8]) -> Int64 { max(1, count(in: line)) }

    /// How many refusals a line stands for that is a record of a sum; 0 for any other line.
    static func count(in line: [UInt8]) -> Int64 {
        let rest = line.dropFirst(AuditLine.timeEnd)
        guard rest.starts(with: outcomeMember) else { return 0 }
        let word = rest.dropFirst(outcomeMember.count).prefix { $0 != UInt8(ascii: "\"") }
        let member = line[word.endIndex...]
        guard member.starts(with: countMember) else { return 0 }
        let digits = member.dropFirst(countMember.count).prefix { $0 != UInt8(ascii: ",") }
        return Int64(String(decoding: digits, as: UTF8.self)) ?? 0
    }

    private static let outcomeMember = Array(#"","outcome":""#.utf8)
    private static let countMember = Array(#"","count":"#.utf8)
}
