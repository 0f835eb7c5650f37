import HTTPServerTLS

/// One of `listeners`, as a file gives it.
enum ListenerRecord {
    static let example = """
        - address: 0.0.0.0:8444
          tls: true
          client_certificates: required
        - address: unix:/run/token-provider/admin.sock
          serves: admin
        - address: 10.0.0.5:8081
          h2c: true
        """

    static func read(_ record: SettingRecord) throws(SettingFailure) -> Configuration.Listener {
        var reader = RecordReader(record)
        let address = reader.required("address", .one(.listenAddress))
        let isSecure = reader.value("tls", .one(.boolean)) ?? false
        let demand = reader.value("client_certificates", .one(ScalarForm<ClientDemand>.word))
        let service = reader.value("serves", .one(ScalarForm<Configuration.Listener.Service>.word))
        let h2c = reader.value("h2c", .one(.boolean))
        if isSecure, h2c == true {
            reader.refuse(
                "h2c",
                "is HTTP/2 without TLS, but this listener has TLS (with TLS, clients choose HTTP/2 themselves); expected "
                    + "tls: false")
        }
        if !isSecure, let demand, demand != .none {
            reader.refuse(
                "client_certificates", "is \(demand.rawValue), but this listener has no TLS; expected tls: true")
        }
        return try reader.finish {
            address.map {
                Configuration.Listener(
                    address: $0, clients: isSecure ? demand ?? ClientDemand.none : nil, service: service ?? .public,
                    h2c: h2c)
            }
        }
    }
}
