internal import ArgumentParser
internal import ChatSession
internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import WordForms

extension Search {
  static func language(_ name: String) throws -> WordLanguage {
    if let language = WordLanguage(rawValue: name.lowercased()) { return language }
    throw ValidationError(
      "There is no '\(name)', only \(WordLanguage.allCases.map(\.rawValue).joined(separator: ", ")).")
  }

  func runBest(_ question: String, of store: SynchronousMessageStore, in shell: Shell) throws -> ExitStatus {
    let query = try BestQuery(question)
    let choice = conversation.choice(otherwise: .all)
    var selection = try choice.selection(in: store)
      .narrowed(to: common.predicate(filter.query(matching: matching), in: store, shell))
    if let restriction = query.restriction {
      selection = selection.narrowed(to: try common.predicate(restriction, in: store, shell))
    }
    let console = pager.console(common, in: shell)
    let ranked = try store.exchanges(
      answering: query.words, in: selection, limit: limit ?? QuestionAnswerer.usualExchangeCount,
      language: language
    ) { Interruption.isAskedFor }
    if json.json {
      try console.write(answers: QuestionAnswerer(store).answer(ranked).exchanges)
    } else {
      let naming: PrintedText.Naming = try choice.isOfSeveral(in: store) ? .inLines : .none
      let format = PrintedText(
        console.printing(zone: try common.zone(in: shell), naming: naming, partsDays: false))
      var writer = HitWriter(store: store, format: format, console: console, context: 1, showsIDs: ids)
      for exchange in ranked.exchanges { try writer.write(exchange) }
    }
    console.flush()
    if let limit = ranked.limitText { console.note(limit) }
    let isFound = !ranked.exchanges.isEmpty
    if !isFound, console.errorsAreTerminal { console.note("no message has a word of the question") }
    return DamageReport.status(isFound ? .done : .nothingFound, after: store, console)
  }
}
