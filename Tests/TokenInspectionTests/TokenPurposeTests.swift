import FleetEngineToken
import Testing
import TokenInspection

@Suite struct TokenPurposeTests {
    @Test(arguments: [
        (
            #"{"tripid":"t-1"}"#,
            #"a consumer token for trip "t-1"; the account needs roles/fleetengine.consumerSdkUser"#
        ),
        (
            #"{"vehicleid":"v-1"}"#,
            #"a driver token for vehicle "v-1"; the account needs roles/fleetengine.driverSdkUser"#
        ),
        (
            #"{"tripid":"*","vehicleid":"*"}"#,
            "a server token for every trip and every vehicle; the account needs roles/fleetengine.ondemandAdmin"
        ),
        (
            #"{"deliveryvehicleid":"v-1"}"#,
            #"an untrusted delivery driver or trusted delivery driver token for delivery vehicle "v-1"; the account needs "#
                + "roles/fleetengine.deliveryUntrustedDriver or roles/fleetengine.deliveryTrustedDriver"
        ),
        (
            #"{"taskid":"a","deliveryvehicleid":"v-1"}"#,
            #"a trusted delivery driver token for delivery vehicle "v-1" and task "a"; the account needs "#
                + "roles/fleetengine.deliveryTrustedDriver"
        ),
        (
            #"{"trackingid":"s-1"}"#,
            #"a delivery consumer token for tracking id "s-1"; the account needs roles/fleetengine.deliveryConsumer"#
        ),
        (
            #"{"taskid":"a"}"#,
            #"a delivery consumer token for task "a"; the account needs roles/fleetengine.deliveryConsumer"#
        ),
        (
            #"{"taskids":["a","b","c","d","e","f","g"]}"#,
            #"a task batch token for tasks "a", "b", "c", "d", "e" and 2 more; the account needs "#
                + "roles/fleetengine.deliveryTrustedDriver"
        ),
        (
            #"{"taskids":["*"]}"#,
            "a task batch token for every task; the account needs roles/fleetengine.deliveryTrustedDriver"
        ),
        (
            #"{"taskid":"*","trackingid":"*","deliveryvehicleid":"*"}"#,
            "a delivery server or delivery fleet reader token for every delivery vehicle and every task and every "
                + "tracking id; the account needs roles/fleetengine.deliveryAdmin or roles/fleetengine.deliveryFleetReader"
        ),
        (
            #"{"tripid":"*","vehicleid":"*","taskid":"*","trackingid":"*","deliveryvehicleid":"*"}"#,
            "a fleet reader token for every trip and every vehicle and every delivery vehicle and every task and "
                + "every tracking id; the role that the account needs is not documented, and never an admin role"
        ),
        (
            #"{"tripid":"\u001b]0;x\u0007\u202e"}"#,
            #"a consumer token for trip "\u001b]0;x\u0007\u202e"; the account needs roles/fleetengine.consumerSdkUser"#
        ),
    ])
    func `claims show their kind, what they allow and the role needed`(
        authorization: String, sentence: String
    ) {
        #expect(inspect(TokenDraft(authorization: authorization).token).purpose?.sentence == sentence)
    }

    @Test(arguments: TokenKind.allCases)
    func `a minted token has its kind, and only wildcards cause a warning`(kind: TokenKind) throws {
        let minter = TokenMinter(signer: FixedSigner(), policy: try TokenPolicy())
        let token = try minter.mint(HealthyClaims.of(kind), at: TokenDraft.now)
        let inspection = InspectedToken(of: token.jwt, at: TokenDraft.now)
        #expect(inspection.purpose?.kinds.contains(kind) == true)
        #expect(!inspection.isRefused)
        #expect(inspection.findings.map(\.code) == (kind.isWildcard ? ["wildcard"] : []))
    }
}

/// A signer whose signatures are the bytes 0 to 255.
private struct FixedSigner: TokenSigner {
    let account = TokenDraft.account
    let keyID = "0123456789abcdef"

    func sign(_ message: [UInt8]) throws(SigningError) -> [UInt8] { Array(0...255) }
}

/// Claims of each kind.
private enum HealthyClaims {
    static func of(_ kind: TokenKind) throws -> PrivateClaims {
        let id = try FleetEngineID("véhicule 1")
        return switch kind {
        case .consumer: .trip(id)
        case .driver: .vehicle(id)
        case .untrustedDeliveryDriver: .untrustedDeliveryVehicle(id)
        case .trustedDeliveryDriver: .trustedDeliveryVehicle(id, task: try FleetEngineID("task"))
        case .deliveryConsumer: .trackingID(id)
        case .taskBatch: .tasks(try TaskBatch([id]))
        case .server: .server
        case .deliveryServer: .deliveryServer
        case .deliveryFleetReader: .deliveryFleetReader
        case .fleetReader: .fleetReader
        }
    }
}
