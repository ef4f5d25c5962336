import MessageModel

/// A source and the model that is changed in step with it.
struct SourceAndModel<Source: MutableMessageSource> {
  let source: Source
  let model = ReferenceSource()
  private var conversations: [Conversation.ID] = []
  private var starts: [Selection.Conversations: SourceVersion] = [:]

  init(_ source: Source) async throws {
    self.source = source
    for name in ["first", "second", "third"] {
      conversations.append(try await source.makeConversation(named: name))
    }
    for chosen in (0..<8).map({ mask in (0..<3).filter { mask >> $0 & 1 == 1 } }) {
      let selection = Selection(choice(chosen))
      starts[selection.conversations] = try await source.page(PageRequest(selection, fetchLimit: 0)).version
    }
  }

  mutating func perform(_ operation: SourceOperation) async throws -> (expected: String, found: String)? {
    switch operation {
    case .append(let text, let number):
      let conversation = conversations[number]
      let newest = model.messages.last { $0.conversation == conversation }?.id ?? .lowest
      let id = try await source.append(text, to: conversation)
      guard id > newest else { return ("an id above \(newest)", id.description) }
      model.insert([Message(id: id, conversation: conversation, text: text)])
    case .insert(let text, let milliseconds, let number):
      let time = Timestamp(millisecondsSince1970: milliseconds)
      let id = try await source.insert(text, at: time, in: conversations[number])
      guard id.time == time else { return ("an id at \(time)", id.description) }
      model.insert([Message(id: id, conversation: conversations[number], text: text)])
    case .delete(let numbers):
      let all = model.messages
      guard !all.isEmpty else { return nil }
      let ids = Set(numbers.map { all[$0 % all.count].id })
      try await source.delete(ids.sorted())
      model.delete(ids)
    case .edit(let number, let text):
      let all = model.messages
      guard !all.isEmpty else { return nil }
      let message = all[number % all.count]
      // A source may take an edit that changes nothing for no change.
      let another = message.text == text ? text + " again" : text
      try await source.edit(message.id, text: another)
      model.edit(message.id, text: another)
    case .read(let question): return try await compare(question)
    }
    return nil
  }

  private func compare(_ question: SourceOperation.Question) async throws -> (
    expected: String, found: String
  )? {
    let request = request(question)
    let expected = Answer(try model.page(request), since: SourceVersion())
    let page = try await source.page(request)
    var found = Answer(page, since: starts[request.selection.conversations] ?? SourceVersion())
    if page.counts?.isExact == false { found.counts = expected.counts }
    return expected == found ? nil : (expected.description, found.description)
  }

  private func choice(_ chosen: [Int]) -> Selection.Conversations {
    chosen.count == 3 ? .all : .some(Set(chosen.map { conversations[$0] }))
  }

  private func request(_ question: SourceOperation.Question) -> PageRequest {
    PageRequest(
      Selection(choice(question.conversations), where: question.predicate.predicate), order: question.order,
      anchor: anchor(question.anchor), fetchLimit: question.limit, fetchOffset: question.offset,
      olderShare: question.olderShare, wantsCounts: question.wantsCounts)
  }

  private func anchor(_ pick: SourceOperation.AnchorPick) -> PageAnchor {
    switch pick {
    case .newest: .newest
    case .oldest: .oldest
    case .before(let number, let off): .before(id(number, off))
    case .after(let number, let off): .after(id(number, off))
    case .around(let number, let off): .around(id(number, off))
    case .time(let milliseconds): .time(Timestamp(millisecondsSince1970: milliseconds))
    case .ordinal(let ordinal): .ordinal(ordinal)
    case .percent(let percent): .percent(percent)
    }
  }

  private func id(_ number: Int, _ off: Int64) -> Message.ID {
    let all = model.messages
    let base = all.isEmpty ? 0 : all[number % all.count].id.rawValue
    return Message.ID(rawValue: base + off)
  }
}
