import MessageModel
import MessageSourceTesting
import TestSupport
import Testing

@Suite struct SourceConformanceTests {
  @Test func `a store answers every request as the naive model does, whatever was done to it`() async throws {
    try await checkMessageSource(seeds: 0..<(isLong ? 100 : 10), length: isLong ? 2_000 : 200) {
      try StoreSource()
    }
  }
}
