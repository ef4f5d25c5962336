import MessageModel
import MessageSourceTesting
import Testing

@Suite struct SourceCheckTests {
  @Test func `the check passes a source that keeps its promises`() async throws {
    try await checkMessageSource(seeds: 0..<10, patience: .seconds(86_400)) { ReferenceSource() }
  }

  @Test func `the check finds a source that lies about its end and shortens the proof`() async throws {
    let error = await #expect(throws: SourceDisagreement.self) {
      try await checkMessageSource { LyingSource() }
    }
    // Of 200 operations: as many messages as the question asks for, and the question.
    #expect(error.map { $0.operations.count < 10 } == true)
    #expect(error?.expected != error?.found)
  }

  @Test func `shrinking leaves the operations that matter`() async {
    let shortest = await shrunk(Array(0..<100)) { $0.contains(17) && $0.contains(80) }
    #expect(shortest == [17, 80])
  }
}

/// Says that there are newer messages whenever it answers as many as it was asked for, as so many sources do.
private struct LyingSource: ForwardingSource {
  let base = ReferenceSource()

  func page(_ request: PageRequest) throws(StoreError) -> Page {
    var page = try base.page(request)
    if page.messages.count == request.fetchLimit, !page.messages.isEmpty { page.hasNewer = true }
    return page
  }
}
