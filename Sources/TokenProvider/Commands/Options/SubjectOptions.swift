import ArgumentParser
import FleetEngineToken
import ServiceConfiguration
import TokenService

/// What a token is for, from the command line. Ids are lists, so that a repeated one is noticed.
struct SubjectOptions: ParsableArguments {
    @Option(help: ArgumentHelp("One trip: a consumer token.", valueName: "id"))
    var trip: [String] = []

    @Option(help: ArgumentHelp("One vehicle: a driver token.", valueName: "id"))
    var vehicle: [String] = []

    @Option(
        help: ArgumentHelp(
            "One delivery vehicle: an untrusted delivery driver token; a trusted one with --task or --kind "
                + "trusted_delivery_driver.", valueName: "id"))
    var deliveryVehicle: [String] = []

    @Option(
        help: ArgumentHelp(
            "One task: a delivery consumer token, unless --delivery-vehicle is given too.", valueName: "id"))
    var task: [String] = []

    @Option(help: ArgumentHelp("One shipment, by its tracking id: a delivery consumer token.", valueName: "id"))
    var tracking: [String] = []

    @Option(
        help: ArgumentHelp("Several tasks, separated by commas: a task batch token; may be repeated.", valueName: "ids")
    )
    var tasks: [String] = []

    @Flag(help: "Every task: a task batch token with the wildcard.")
    var allTasks = false

    @Option(help: "The kind of token. Default: follows from the id.")
    var kind: TokenKind?

    /// The requested claims; throws what is wrong with the flags.
    func claims() throws(SubjectProblem) -> PrivateClaims {
        let named = named.filter { !$0.texts.isEmpty }
        if allTasks { return try everyTask(besides: named.first?.parameter) }
        if let kind, let claims = PrivateClaims(wildcard: kind) {
            guard let parameter = named.first?.parameter else { return claims }
            throw .foreign(parameter.flag, kind)
        }
        var ids = RequestedIDs()
        for (parameter, texts) in named {
            for text in texts { try add(text, as: parameter, to: &ids) }
        }
        do { return try ids.takeClaims(of: kind) } catch { throw SubjectProblem(error) }
    }

    /// The given ids by parameter; a batch is one text.
    private var named: [(parameter: IDParameter, texts: [String])] {
        [
            (.tripID, trip), (.vehicleID, vehicle), (.deliveryVehicleID, deliveryVehicle), (.taskID, task),
            (.trackingID, tracking), (.taskIDs, tasks.isEmpty ? [] : [tasks.joined(separator: ",")]),
        ]
    }

    private func everyTask(besides parameter: IDParameter?) throws(SubjectProblem) -> PrivateClaims {
        if let parameter { throw .conflict(parameter.flag, "--all-tasks") }
        if let kind, kind != .taskBatch { throw .foreign("--all-tasks", kind) }
        return .everyTask
    }

    private func add(
        _ text: String, as parameter: IDParameter, to ids: inout RequestedIDs
    ) throws(SubjectProblem) {
        // Bytes in another encoding arrive as U+FFFD, so the id would not be the one that was meant.
        guard !text.unicodeScalars.contains("\u{FFFD}") else { throw .notUTF8(parameter.flag) }
        do { try ids.add(parameter, Array(text.utf8), place: parameter.flag) } catch {
            throw SubjectProblem(error, adding: parameter)
        }
    }
}

extension TokenKind: ExpressibleByArgument {}
