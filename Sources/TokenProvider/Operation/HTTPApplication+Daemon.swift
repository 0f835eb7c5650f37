import HTTPServer
import Logging
import TokenService

extension HTTPApplication {
    /// What the apps' listeners serve. Nobody observes the answers where no access log is kept.
    init(_ router: Router, _ accessLog: AccessLog?, logger: Logger) {
        var observe: (@Sendable (AccessRecord) -> Void)?
        if let accessLog { observe = { accessLog.record($0) } }
        self.init(
            respond: { request, time in router.respond(to: request, at: time) },
            refuse: { rejection in ProblemAnswer.answer(rejection) },
            isExemptFromLimits: { request in Router.isExemptFromLimits(request) },
            notice: { logger.tell($0) }, observe: observe)
    }
}
