import StrictJSON

/// A report for programs: one object. It is escaped for a terminal, and holds nothing secret.
enum DoctorJSON {
    /// On one line.
    static func text(_ report: DoctorReport) -> String {
        var json = JSONWriter(escaping: .logLine, reserving: 4096)
        json.object { json in
            json.member("healthy", report.isHealthy)
            json.member("project", optional: report.project)
            json.key("kinds")
            json.array { json in
                for diagnosis in report.kinds { write(diagnosis, to: &json) }
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static func write(_ diagnosis: KindDiagnosis, to json: inout JSONWriter) {
        json.object { json in
            json.member("kind", diagnosis.kind.rawValue)
            json.member("account", optional: diagnosis.account)
            json.member("healthy", diagnosis.isHealthy)
            json.key("steps")
            json.array { json in
                for step in diagnosis.steps { write(step, to: &json) }
            }
        }
    }

    private static func write(_ step: DoctorStep, to json: inout JSONWriter) {
        json.object { json in
            json.member("step", step.name.rawValue)
            json.member("outcome", step.outcome.rawValue)
            json.member("detail", step.detail)
            json.member("cure", optional: step.remedy?.cure)
            json.member("commands", step.remedy?.commands ?? [])
        }
    }
}
