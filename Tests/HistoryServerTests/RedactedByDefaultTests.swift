import HistoryQueries
import MessageModel
import MessageStorage
import Redaction
import ShellTesting
import Testing

/// No question has a say in what is redacted: a store over a redacted history shows nothing else (docs/redact.md).
@Suite struct RedactedByDefaultTests {
  /// A question that says nothing of redaction, and asks for all it can.
  private struct EverythingQuestion: HistoryQuestion, ServedQuestion {
    static let word = "everything"

    func answer(by queries: QuestionAnswerer) throws(StoreError) -> EverythingAnswer {
      EverythingAnswer(
        page: try queries.page(PageRequest(.everything), detail: .whole), senders: try queries.senders(),
        conversations: try queries.conversations(wantsNewest: true), people: try queries.people(),
        filters: try queries.filters(), hits: try queries.hits(.matching("tea"), context: 2))
    }
  }

  private struct EverythingAnswer: HistoryAnswer, ServedAnswer {
    var page: PageAnswer
    var senders: SendersAnswer
    var conversations: ConversationsAnswer
    var people: PeopleAnswer
    var filters: FiltersAnswer
    var hits: HitsAnswer
  }

  private static let hidden = ["mira", "kettle", "ghp_a1B2c3D4e5F6a1B2c3D4e5F6a1B2c3D4e5F6"]

  private func shown() throws -> (ShellFixture, ShownStore) {
    let fixture = try ShellFixture(
      holding: """
        {"conversation":"kettle","time":"2024-05-01T10:00:00Z","sender":"mira","senderID":"U-mira","text":"tea \(Self.hidden[2])","source":{"platform":"slack","id":"mira-1"}}
        {"conversation":"mira","time":"2024-05-01T10:01:00Z","sender":"bob","text":"the kettle of mira","reactions":[{"emoji":"x","senders":["mira"]}],"attachments":[{"name":"kettle.pdf"}]}
        {"conversation":"quay","time":"2024-05-01T10:02:00Z","sender":"bob","text":"mira was here"}

        """)
    try fixture.run(["people", "link", "Mira", "mira"])
    try fixture.run(["filters", "save", "kept", "from:mira kettle"])
    let redactor = try Redactor(RedactionRules("name mira\nname Mira\nword kettle\nsecrets\n")) { pattern in
      let finder = try ExpressionFinder(pattern)
      return { finder.ranges(in: $0) }
    }
    return (fixture, try ShownStore(SynchronousMessageStore(path: fixture.store), by: redactor))
  }

  private func expectHidden(_ bytes: [UInt8], _ comment: Comment = "") {
    let text = String(decoding: bytes, as: UTF8.self).lowercased()
    for word in Self.hidden { #expect(!text.contains(word.lowercased()), "\(comment): \(text)") }
  }

  @Test func `a question that says nothing of redaction is answered of what is shown`() throws {
    let (_, store) = try shown()
    defer { store.close() }
    let answer = try QuestionAnswerer(store.shown).answer(EverythingQuestion())
    #expect(answer.page.messages.count == 3 && answer.senders.senders.count == 2)
    #expect(answer.hits.hits.count == 1 && answer.people.people.count == 1)
    expectHidden(try AnswerEncoder.bytes(of: answer))
  }

  @Test(arguments: HistoryQuestions.all.map { $0.word })
  func `each question that there is shows nothing hidden, or is refused`(word: String) throws {
    let (_, store) = try shown()
    defer { store.close() }
    let id = try #require(try QuestionAnswerer(store.shown).page(PageRequest(.everything)).messages.first?.id)
    let question = try AnyHistoryQuestion(
      json:
        #"{"question":"\#(word)","words":"tea","conversation":"quay","id":"\#(id)","ids":["\#(id)"],"file":"tea.md","error":"tea"}"#
    )
    do {
      expectHidden(try AnswerEncoder.bytes(of: QuestionAnswerer(store.shown).answer(question)), "\(word)")
    } catch let error as StoreError {
      expectHidden(Array("\(store.told(error))".utf8), "\(word)")
    }
  }
}
