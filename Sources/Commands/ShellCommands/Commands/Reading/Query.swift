internal import ArgumentParser
internal import ChatSession
internal import HistoryQueries
internal import MessageModel
internal import MessageStorage

struct Query: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "query",
    abstract: "Answer questions in JSON, for programs.",
    discussion: """
      docs/json.md lists the questions and their answers. Each line of standard input is a question, and is answered \
      at once by a line, or by an error in JSON.

      Examples:
        scrollback query '{"question":"conversations"}'
        scrollback query '{"question":"page","conversations":["general"],"at":{"percent":50}}'
        scrollback query <questions.jsonl
      """)

  @Argument(help: "A question (default: one from each line of standard input).")
  var question: String?

  @OptionGroup var common: CommonOptions

  func run(in shell: Shell) throws -> ExitStatus {
    let store = try common.opened(in: shell)
    defer { store.close() }
    let console = common.console(in: shell)
    let queries = QuestionAnswerer(store, me: shell.userName)
    if let question {
      let answer = try queries.answer(AnyHistoryQuestion(json: question), isCancelled: { false })
      try console.write(answers: CollectionOfOne(answer))
      console.flush()
    } else {
      try answerLines(of: shell.standardInput, queries, console)
    }
    return DamageReport.status(.done, after: store, console)
  }

  private func answerLines(of descriptor: Int32, _ queries: QuestionAnswerer, _ console: Console) throws {
    var lines = ArrivingLines(descriptor: descriptor)
    while let line = try lines.next()?.first {
      if line.allSatisfy(\.isWhitespace) { continue }
      try console.write(answers: CollectionOfOne(Self.answer(line, queries)))
      console.flush()
    }
  }

  private static func answer(_ line: String, _ queries: QuestionAnswerer) -> AnyHistoryAnswer {
    do throws(StoreError) {
      return try queries.answer(AnyHistoryQuestion(json: line), isCancelled: { false })
    } catch {
      return AnyHistoryAnswer(ErrorAnswer(error, in: \.asked))
    }
  }
}

extension Remedy {
  /// The remedy as a question, where one helps; else the command to type.
  fileprivate var asked: String {
    switch way {
    case .listConversations: "the question 'conversations', which lists them"
    case .listSenders: "the question 'senders', which lists them"
    case .listPeople: "the question 'people', which lists them"
    case .listFilters: "the question 'filters', which lists them"
    case .words, .checkStore, .repairStore, .makeStore, .importOrSalvage, .exportAndImport, .importWithFiles,
      .openStore, .openAnotherStore, .openLocalStore, .goWithoutBackup, .writeIntoNewFolder, .searchMessages,
      .showMessage,
      .mergeConversations,
      .listImports, .listSources, .mapColumns, .publish, .changeAndPublish:
      typed
    }
  }
}
