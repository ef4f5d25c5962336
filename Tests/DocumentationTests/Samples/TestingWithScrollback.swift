import Foundation
// sample
import MessageSourceTesting
// end
import ScrollbackKit
import Testing

@Suite struct TestingWithScrollback {
  @Test func `a view is tested without a file`() async throws {
    // sample
    let source = ReferenceSource(count: 1_000)  // texts "1" to "1000" in conversation 1
    let list = MessageList(.everything, in: AwaitedSource(source))
    let before = await list.perform(.jump(to: .newest))
    source.append("and one more")
    let after = await list.perform(.sourceChanged)
    // end
    #expect(before.messages.last?.text == "1000")
    #expect(after.messages.last?.text == "and one more")
    await list.close()
  }

  @Test func `what fails is shown, and tried again`() async throws {
    // sample
    let failing = FailingSource(ReferenceSource(count: 1_000))
    let list = MessageList(.everything, in: AwaitedSource(failing))
    await list.perform(.jump(to: .newest))
    failing.restart(failingCalls: Set(1...100))
    let failed = await list.perform(.scroll(.older))
    failing.restart()
    let retried = await list.perform(.retry)
    // end
    guard case .failed(let error) = failed.header.readingOlder else {
      Issue.record("\(failed.header)")
      return
    }
    #expect(error.kind == .inputOutput)
    #expect(retried.messages.count > failed.messages.count)
    await list.close()
  }

  @Test func `a source is compared with the model`() async throws {
    // sample
    try await checkMessageSource(seeds: 0..<5) { ReferenceSource() }  // your source in its place
    // end
  }

  @Test func `a store in memory's stead lies in a folder of the test`() async throws {
    let folder = try TestFolder()
    // sample
    let store = try await MessageStore(
      path: folder.path("test.db"), options: StoreOptions(durability: .process),
      clock: { Timestamp(millisecondsSince1970: 1_714_550_400_000) })  // always 2024-05-01 08:00
    // end
    let room = try await store.write { try $0.makeConversationIfNeeded(named: "tea") }.id
    let ids = try await store.append([NewMessage("Tea?"), NewMessage("Yes")], to: room)
    #expect(ids[0].placeTime == ids[1].placeTime && ids[0] < ids[1])
    await store.close()
  }
}
