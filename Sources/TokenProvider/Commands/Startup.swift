import ArgumentParser
import Glibc
import HTTPServer
import ServiceConfiguration
import SystemFiles
import TokenService

/// How commands report errors and results, and end.
enum Startup {
    /// Reports errors, a line each. Returns the exit status: that of a wrong command line if all errors are in flags, and 1 if
    /// another start may succeed.
    static func refuse(_ errors: ConfigurationErrors, reporting report: (String) -> Void = Terminal.complain)
        -> ExitCode
    {
        for sentence in errors.sentences { report(sentence) }
        if errors.mayPass { return .failure }
        return errors.areAllInFlags ? .validationFailure : .configuration
    }

    /// Reports why the command line is wrong. Returns the exit status.
    static func misuse(_ sentence: String) -> ExitCode {
        Terminal.complain(sentence)
        return .validationFailure
    }

    /// The result of `body`. Reports an error as one of the command line, and ends the program.
    static func orMisuse<Value, Failure: Error>(
        _ body: () throws(Failure) -> Value, sentence: (Failure) -> String
    ) throws -> Value {
        do { return try body() } catch { throw misuse(sentence(error)) }
    }

    /// The result of `body`. Reports errors in the configuration or its files, and ends the program.
    static func orRefuse<Value>(
        reporting report: (String) -> Void = Terminal.complain, _ body: () throws(ConfigurationErrors) -> Value
    ) throws -> Value {
        do { return try body() } catch { throw refuse(error, reporting: report) }
    }

    /// Writes a result, which may be `StyledText`, to standard output. Ends the program with status 1 if that fails.
    static func deliver(_ text: String, isStyled: Bool = false) throws {
        guard !Terminal.say(text, isStyled: isStyled) else { return }
        Terminal.complain("standard output cannot be written: \(String(cString: strerror(errno)))")
        throw ExitCode.failure
    }

    /// The result of `body`. Reports an error and ends the program with status 1.
    static func orExit<Value>(
        reporting report: (String) -> Void = Terminal.complain, _ body: () throws -> Value
    ) throws -> Value {
        do { return try body() } catch {
            report((error as? SystemError)?.sentence ?? "\(error)")
            throw ExitCode.failure
        }
    }
}

extension SystemError {
    /// What failed, and what to do about an address in use.
    fileprivate var sentence: String {
        guard code == EADDRINUSE else { return description }
        return switch family {
        case AF_UNIX:
            "\(description); expected a free path: stop what listens there (ss -lxp), remove the file if it is not a "
                + "socket, or choose another path"
        case AF_INET, AF_INET6:
            "\(description); expected a free address: stop what listens there (ss -ltnp), choose another, or set "
                + "http.share_ports for an upgrade"
        default: description
        }
    }
}
