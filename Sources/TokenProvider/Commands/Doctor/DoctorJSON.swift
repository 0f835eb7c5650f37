import StrictJSON

extension DoctorReport {
    /// For programs: one object on one line. It is escaped for a terminal, and holds nothing secret.
    var json: String {
        JSONText.object { json in
            json.member("healthy", isHealthy)
            json.member("project", optional: project)
            json.member("reached", reached)
            json.member("kinds", kinds) { json, diagnosis in
                json.member("kind", diagnosis.kind.rawValue)
                json.member("account", optional: diagnosis.account)
                json.member("healthy", diagnosis.isHealthy)
                json.member("steps", diagnosis.steps) { json, step in
                    json.member("step", step.name.rawValue)
                    json.member("outcome", step.outcome.rawValue)
                    json.member("detail", step.detail)
                    json.member("cure", optional: step.remedy?.cure)
                    json.member("commands", step.remedy?.commands ?? [])
                }
            }
        }
    }
}
