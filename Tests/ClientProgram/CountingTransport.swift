import Foundation
import Locking
import TokenProviderClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests by `URLSession` that are counted while they are in flight.
final class CountingTransport: Sendable {
    private let session = TokenProviderClient.session()
    private let inFlight = Guarded(0)

    var transport: Transport { { try await self.answer(to: $0) } }

    private func answer(to request: URLRequest) async throws -> HTTPAnswer {
        inFlight.withLock { $0 += 1 }
        defer { inFlight.withLock { $0 -= 1 } }
        return try await session(request)
    }

    func waitUntilIdle() async throws {
        while inFlight.withLock({ $0 > 0 }) { try await Task.sleep(nanoseconds: 1_000_000) }
    }
}
