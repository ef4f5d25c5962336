import MessageModel
import MessageSourceTesting
import TestSupport
import Testing

@Suite struct SourceConformanceTests {
  @Test func `a store answers every request as the naive model does, whatever was done to it`() async throws {
    try await checkMessageSource(
      seeds: 0..<(isLong ? 100 : 10), length: isLong ? 2_000 : 200, patience: .seconds(86_400)
    ) {
      try StoreSource()
    }
  }

  @Test
  func
    `so does one in which others write messages of the future, behind which its own have times of their own`()
    async throws
  {
    try await checkMessageSource(
      seeds: 200..<(isLong ? 300 : 210), length: isLong ? 2_000 : 200, patience: .seconds(86_400)
    ) {
      try StoreSource(clock: Timestamp(millisecondsSince1970: 10))
    }
  }

  @Test func `so does one in which the filters it is asked for are saved by name`() async throws {
    try await checkMessageSource(
      seeds: 100..<(isLong ? 150 : 106), length: isLong ? 2_000 : 200, patience: .seconds(86_400)
    ) {
      let source = try StoreSource()
      for word in ["amber", "birch", "cedar"] {
        try source.store.saveFilter(named: word, words: word, predicate: .matching(word))
        try source.store.countMessages(ofFilter: word)
      }
      return source
    }
  }
}
