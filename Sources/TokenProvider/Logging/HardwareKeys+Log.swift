import Logging
import OpenSSLSigner

extension HardwareKeys.Change {
    /// One line for each change of a key's state.
    func log(to logger: Logger) {
        switch self {
        case .lost(let key, let reason):
            logger.error(
                "a key in hardware makes no signatures", metadata: ["key": "\(key.text)", "reason": "\(reason)"])
        case .recovered(let key):
            logger.notice("a key in hardware was opened again", metadata: ["key": "\(key.text)"])
        }
    }
}
