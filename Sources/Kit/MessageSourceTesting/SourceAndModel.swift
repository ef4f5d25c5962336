import MessageModel

/// A source, and a model that is changed in step with it.
struct SourceAndModel<Source: MessageSource> {
  let source: Source
  let model: ReferenceSource
  private let comparesAll: Bool
  private var conversations: [Conversation.ID] = []
  private var starts: [Selection.Conversations: SourceVersion] = [:]
  private var used: Set<Message.ID> = []

  struct Difference {
    var rule: SourceRule
    var request: String
    var expected: String
    var found: String
  }

  /// Questions only concern these conversations.
  init(_ source: Source, holding model: ReferenceSource, in conversations: [Conversation.ID]) {
    self.source = source
    self.model = model
    self.conversations = conversations
    comparesAll = true
  }

  private func compare(_ question: SourceOperation.Question) async -> Difference? {
    let request = request(question)
    guard let expected = try? model.page(request) else { return await compareRefusal(of: request) }
    do {
      let start = starts[request.selection.conversations] ?? SourceVersion()
      let answer = Answer(expected, since: SourceVersion())
      let found = Answer(try await source.page(request), since: start)
      let rule = answer.rule(brokenBy: found, to: request, comparesAll: comparesAll)
      return rule.map { difference($0, request, answer.description, found.description) }
    } catch {
      return difference(.answered, request, Answer(expected, since: SourceVersion()).description, "\(error)")
    }
  }

  private func compareRefusal(of request: PageRequest) async -> Difference? {
    let expected = "an error of kind invalidRequest"
    do {
      let page = try await source.page(request)
      return difference(.refused, request, expected, Answer(page, since: SourceVersion()).description)
    } catch {
      return (error as? StoreError)?.kind == .invalidRequest
        ? nil : difference(.refused, request, expected, "\(error)")
    }
  }

  private func difference(
    _ rule: SourceRule, _ request: PageRequest, _ expected: String, _ found: String
  ) -> Difference {
    Difference(
      rule: rule, request: "page: \(request.sentence)\n           (\(request.anchor.sentence))",
      expected: expected, found: found)
  }

  private static var asked: Int { 3 }

  private func choice(_ chosen: [Int]) -> Selection.Conversations {
    chosen.count >= min(conversations.count, Self.asked)
      ? .all : .some(Set(chosen.filter(conversations.indices.contains).map { conversations[$0] }))
  }

  private func request(_ question: SourceOperation.Question) -> PageRequest {
    let anchor = anchor(question.anchor)
    var request = PageRequest(
      Selection(choice(question.conversations), where: question.predicate.predicate), order: question.order,
      anchor: anchor, fetchLimit: question.limit,
      // An offset from the first unread message has no meaning if there is none.
      fetchOffset: anchor == .firstUnread ? min(question.offset, 0) : question.offset,
      olderShare: question.olderShare, wantsCounts: question.wantsCounts)
    request.stopsAtGaps = question.stopsAtGaps
    return request
  }

  private func anchor(_ pick: SourceOperation.AnchorPick) -> PageAnchor {
    switch pick {
    case .newest: .newest
    case .oldest: .oldest
    case .before(let number, let off): .before(id(number, off))
    case .after(let number, let off): .after(id(number, off))
    case .around(let number, let off): .around(id(number, off))
    case .time(let milliseconds): .time(Timestamp(millisecondsSince1970: milliseconds))
    case .timeOf(let number, let off):
      .time(Timestamp(millisecondsSince1970: id(number, 0).placeTime.millisecondsSince1970.adding(off)))
    case .ordinal(let ordinal): .ordinal(ordinal)
    case .percent(let percent): .percent(percent)
    case .firstUnread: .firstUnread
    }
  }

  private func id(_ number: Int, _ off: Int64) -> Message.ID {
    let all = model.messages
    let base = all.isEmpty ? 0 : all[number % all.count].id.rawValue
    return Message.ID(rawValue: base.adding(off))
  }

  func ask(_ operation: SourceOperation) async -> Difference? {
    guard case .read(let question) = operation else { return nil }
    return await compare(question)
  }

  mutating func noteVersions() async -> Difference? {
    for chosen in (0..<8).map({ mask in (0..<Self.asked).filter { mask >> $0 & 1 == 1 } }) {
      let request = PageRequest(Selection(choice(chosen)), fetchLimit: 0)
      do {
        let version = try await source.page(request).version
        let expected = try? model.page(request).version
        // The model may already contain messages.
        starts[request.selection.conversations] = SourceVersion(
          inserted: version.inserted &- (expected?.inserted ?? 0),
          deleted: version.deleted &- (expected?.deleted ?? 0),
          changed: version.changed &- (expected?.changed ?? 0))
      } catch {
        return difference(.answered, request, "a page", "\(error)")
      }
    }
    return nil
  }
}

extension SourceAndModel where Source: MutableMessageSource {
  init(_ source: Source) {
    self.source = source
    model = ReferenceSource()
    comparesAll = false
  }

  mutating func begin() async -> Difference? {
    for name in ["first", "second", "third"] {
      do {
        let id = try await source.makeConversation(named: name)
        guard !conversations.contains(id) else {
          return Difference(
            rule: .unused, request: "makeConversation(named: \"\(name)\")", expected: "another conversation",
            found: "\(id.rawValue) again")
        }
        conversations.append(id)
      } catch {
        return failure("makeConversation(named: \"\(name)\")", error)
      }
    }
    return await noteVersions()
  }

  mutating func perform(_ operation: SourceOperation) async -> Difference? {
    let call = call(operation)
    do {
      switch operation {
      case .append(let text, let number):
        let conversation = conversations[number]
        let newest = model.messages.last { $0.conversation == conversation }?.id ?? .lowest
        let id = try await source.append(text, to: conversation)
        let rule: SourceRule? = id > newest ? nil : .appended
        // The source chooses the time: after a message from the future it differs from the place.
        let page = try await source.page(
          PageRequest(Selection(conversation), anchor: .around(id), fetchLimit: 1, wantsCounts: false))
        let writtenAt = page.messages.first.flatMap { $0.id == id ? $0.writtenAt : nil }
        return add(
          id, text, conversation, call, rule, expected: "an id above \(newest)", writtenAt: writtenAt)
      case .insert(let text, let milliseconds, let number):
        let time = Timestamp(millisecondsSince1970: milliseconds)
        let id = try await source.insert(text, at: time, in: conversations[number])
        let range = Message.ID.range(of: time, precision: .millisecond)
        let rule: SourceRule? = range.contains(id) ? nil : .inserted
        let expected = "an id from \(range.lowerBound) to \(range.upperBound)"
        return add(id, text, conversations[number], call, rule, expected: expected)
      case .delete(let numbers):
        let ids = ids(numbers)
        if ids.isEmpty { return nil }
        try await source.delete(ids)
        model.delete(ids)
      case .edit(let number, let text):
        guard let message = message(number) else { return nil }
        let another = Self.other(text, than: message.text)
        try await source.edit(message.id, text: another)
        model.edit(message.id, text: another)
      case .markRead(let number):
        guard let marking = source as? any ReadMarkingSource, let message = message(number) else {
          return nil
        }
        try await marking.markRead(message.conversation, upTo: message.id)
        model.moveReadMark(message.id, of: message.conversation)
      case .setGap(let number, let other, let token):
        guard let keeping = source as? any GapKeepingSource, var gap = gap(number, other) else { return nil }
        gap.token = token
        try await keeping.setGap(gap)
        model.setGap(gap)
        // A source may count a change of gaps in any way.
        return await noteVersions()
      case .removeGaps(let number, let other):
        guard let keeping = source as? any GapKeepingSource, let gap = gap(number, other) else { return nil }
        try await keeping.removeGaps(in: gap.conversation, after: gap.after, before: gap.before)
        model.removeGaps(in: gap.conversation, after: gap.after, before: gap.before)
        return await noteVersions()
      case .read(let question): return await compare(question)
      }
    } catch {
      return failure(call, error)
    }
    return nil
  }

  private mutating func add(
    _ id: Message.ID, _ text: String, _ conversation: Conversation.ID, _ call: String, _ rule: SourceRule?,
    expected: String, writtenAt: Timestamp? = nil
  ) -> Difference? {
    guard used.insert(id).inserted else {
      return Difference(
        rule: .unused, request: call, expected: "an id that no message ever had", found: "\(id) again")
    }
    if let rule { return Difference(rule: rule, request: call, expected: expected, found: id.description) }
    var message = Message(id: id, conversation: conversation, text: text)
    message.writtenAt = writtenAt
    model.insert([message])
    return nil
  }

  private func failure(_ call: String, _ error: any Error) -> Difference {
    Difference(rule: .written, request: call, expected: "that it is done", found: "\(error)")
  }

  private func message(_ number: Int) -> Message? {
    let all = model.messages
    return all.isEmpty ? nil : all[number % all.count]
  }

  private func gap(_ number: Int, _ other: Int?) -> MessageGap? {
    guard let message = message(number) else { return nil }
    let all = model.messages.filter { $0.conversation == message.conversation }
    guard let other else {
      return number % 2 == 0
        ? MessageGap(in: message.conversation, after: message.id)
        : MessageGap(in: message.conversation, before: message.id)
    }
    let ids = [message.id, all[other % all.count].id].sorted()
    return ids[0] < ids[1] ? MessageGap(in: message.conversation, after: ids[0], before: ids[1]) : nil
  }

  private func ids(_ numbers: [Int]) -> [Message.ID] { Set(numbers.compactMap { message($0)?.id }).sorted() }

  /// A source may ignore an edit that changes nothing.
  private static func other(_ text: String, than present: String) -> String {
    text == present ? text + " again" : text
  }

  private func call(_ operation: SourceOperation) -> String {
    switch operation {
    case .append(let text, let number): "append(\"\(text)\", to: \(conversations[number].rawValue))"
    case .insert(let text, let milliseconds, let number):
      "insert(\"\(text)\", at: \(milliseconds) ms, in: \(conversations[number].rawValue))"
    case .delete(let numbers): "delete(\(ids(numbers)))"
    case .edit(let number, let text):
      message(number).map { "edit(\($0.id), text: \"\(Self.other(text, than: $0.text))\")" } ?? "edit"
    case .markRead(let number):
      message(number).map { "markRead(\($0.conversation.rawValue), upTo: \($0.id))" } ?? "markRead"
    case .setGap(let number, let other, _): "setGap(\(String(describing: gap(number, other))))"
    case .removeGaps(let number, let other): "removeGaps(\(String(describing: gap(number, other))))"
    case .read: "page"
    }
  }
}
