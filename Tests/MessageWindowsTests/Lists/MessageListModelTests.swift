import MessageModel
import MessageSourceTesting
import MessageWindows
import Observation
import Synchronization
import Testing

@MainActor @Suite struct MessageListModelTests {
  @Test func `a model shows on the main actor what its list does`() async throws {
    let source = ReferenceSource(count: 100)
    let model = MessageListModel(
      Selection(conversation), in: source, limits: try .small(40, page: 10), every: .zero)
    await shown { model.header.isFollowing }
    #expect(
      model.messages.last?.id == id(100) && model.header.total == 100 && model.placeholderRows.count == 100)
    source.append("new")
    await shown { model.header.total == 101 }
    #expect(model.messages.last?.text == "new")
    model.send(.jump(to: .oldest))
    await shown { model.messages.first?.id == id(1) }
  }

  /// What a simpler view does: it scrolls when its first or last row appears.
  private func appear(_ message: Message, in model: MessageListModel) {
    if message.id == model.messages.first?.id { model.send(.scroll(.older)) }
    if message.id == model.messages.last?.id { model.send(.scroll(.newer)) }
  }

  @Test func `a view that tells both ends goes up and comes back`() async throws {
    let source = ReferenceSource(count: 500)
    let model = MessageListModel(
      Selection(conversation), in: source, limits: try .small(40, page: 10), every: .zero)
    await shown { model.header.isFollowing }
    while model.messages.first?.id != id(1) {
      let first = model.messages[0]
      appear(first, in: model)
      await shown { model.messages.first != first }
    }
    #expect(model.header.hasNewer)
    while model.header.hasNewer {
      let last = model.messages[model.messages.count - 1]
      appear(last, in: model)
      await shown { model.messages.last != last || !model.header.hasNewer }
    }
    #expect(model.messages.last?.id == id(500))
  }

  @Test func `whoever observes messages is not told of headers`() async throws {
    let source = GatedSource(ReferenceSource(count: 500))
    source.open()
    let model = MessageListModel(
      Selection(conversation), in: source, limits: try .small(40, page: 10), every: .zero)
    await shown { model.header.isFollowing }
    source.close()
    let told = Mutex(0)
    withObservationTracking {
      _ = model.messages
    } onChange: {
      told.withLock { $0 += 1 }
    }
    model.send(.scroll(.older))
    await shown { model.header.readingOlder == .reading }
    #expect(told.withLock { $0 } == 0)
    source.open()
    await shown { model.header.readingOlder == .idle }
    #expect(told.withLock { $0 } == 1)
  }

  @Test func `a model lets go of its list with the last who holds it`() async throws {
    let source = ReferenceSource(count: 10)
    var model: MessageListModel? = MessageListModel(Selection(conversation), in: source, every: .zero)
    weak let list = model?.list
    await shown { model?.header.isFollowing == true }
    model = nil
    while list != nil { await Task.yield() }
  }

  @Test func `each snapshot is handed on with its change by index`() async throws {
    let source = ReferenceSource(count: 100)
    let model = MessageListModel(MessageList(Selection(conversation), in: source), every: .zero)
    var rows: [Message] = []
    var items: [MessageRows.Row] = Array(model.rows)
    model.onSnapshot = { snapshot, changes in
      rows = snapshot.changes.applied(to: rows, takingFrom: snapshot.messages)
      items = changes.batch.applied(to: items, takingFrom: model.rows)
    }
    model.send(.jump(to: .newest))
    for number in 1...20 {
      source.append("new")
      source.delete([id(Int64(number) + 50)])
    }
    await shown {
      model.header.total == 100 && model.messages.count == source.messages.count
        && model.messages.last?.id == source.messages.last?.id
    }
    #expect(rows == model.messages)
    #expect(items == Array(model.rows))
  }

  @Test func `the first rows are there at once where the source can be read at once`() {
    let source = ReferenceSource(count: 100)
    let model = MessageListModel(Selection(conversation), in: source, startingWith: source)
    #expect(model.rows.last?.message?.id == id(100) && model.header.isFollowing)
    #expect(model.landing?.isAtEnd == true && model.landing?.row == model.rows.last?.id)
    let old = MessageListModel(
      Selection(conversation), in: source, startingWith: source, at: .around(id(50)))
    #expect(old.landing?.row == .message(id(50)) && old.landing?.isAtEnd == false)
    let failing = FailingSource(source, failingCalls: [1])
    let late = MessageListModel(Selection(conversation), in: source, startingWith: failing)
    #expect(late.rows.isEmpty && late.landing == nil)
  }

  @Test func `a model that has its first rows goes on with what has come since`() async throws {
    let source = ReferenceSource(count: 100)
    let model = MessageListModel(Selection(conversation), in: source, startingWith: source, every: .zero)
    source.append("new")
    await shown { model.rows.last?.message?.text == "new" }
    #expect(model.landing?.row == model.rows.last?.id && model.landing?.isAtEnd == true)
  }

  @Test func `a view that reports its rows is read ahead of at both ends`() async throws {
    let source = ReferenceSource(count: 300)
    let model = MessageListModel(
      Selection(conversation), in: source, startingWith: source,
      limits: try .small(60, page: 20, prefetch: 5),
      every: .zero)
    while model.rows.first != .beginning {
      let first = model.messages[0].id
      model.readerSees(0..<3)
      await shown { model.messages[0].id != first || model.rows.first == .beginning }
    }
    while model.header.hasNewer {
      let last = model.messages[model.messages.count - 1].id
      let visible = Set(model.rows.suffix(2).map(\.id))
      model.readerSees(visible)
      await shown { model.messages.last?.id != last || !model.header.hasNewer }
    }
    model.readerSees(model.rows.suffix(2).map(\.id))
    await shown { model.header.isFollowing }
  }

  @Test func `the line of unread messages is set and removed, and is a change by index`() async throws {
    let source = ReferenceSource(count: 10)
    let model = MessageListModel(Selection(conversation), in: source, startingWith: source, every: .zero)
    var items = Array(model.rows)
    model.onSnapshot = { items = $1.batch.applied(to: items, takingFrom: model.rows) }
    model.firstUnread = id(8)
    #expect(items.contains(.unread) && items == Array(model.rows))
    model.firstUnread = nil
    #expect(!items.contains(.unread) && items == Array(model.rows))
  }

  /// Lets the model take in what comes until it shows what is waited for.
  private func shown(_ isShown: () -> Bool) async {
    while !isShown() { await Task.yield() }
  }
}
