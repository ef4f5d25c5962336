internal import HistoryQueries
internal import MessageModel
package import MessageStorage
internal import TerminalText

extension Session {
  /// Without a question, uses the words of the present search, or of the last list of hits.
  mutating func listBest(_ question: String) throws -> Effects {
    guard let asked = question.isEmpty ? search?.query ?? searches.formerHits?.search?.query : question else {
      throw UsageError("no search yet", remedy: "/best QUESTION")
    }
    let query = try BestQuery(asked)
    var selection = context.selection
    if let restriction = query.restriction {
      selection = selection.narrowed(to: try context.predicate(restriction))
    }
    let ranked = try context.store.exchanges(answering: query.words, in: selection) {
      Interruption.isAskedFor
    }
    guard !ranked.exchanges.isEmpty else {
      throw UsageError(
        "no message has a word of '\(SafeText.oneLine(asked).cut(columns: 40))'", status: .nothingFound)
    }
    searches.best = HitSearch(asked, .matching(ranked.words), number: 0)
    return Effects(.listing(context.listing(of: ranked)))
  }

  /// Makes the question the search, too.
  mutating func goToExchange(at id: Message.ID) throws -> Effects {
    guard reader.traits.hasWindow, var best = searches.best else {
      return try go(to: .message(id))
    }
    best.number = searches.nextNumber()
    search = best
    try show(hit: id)
    search?.isCounting = false
    return Effects(jobs: counting(), stops: [.ahead, .count])
  }
}

extension ReplContext {
  fileprivate func listing(of ranked: RankedAnswer) -> Listing {
    var clock = clock
    let rows = ranked.exchanges.enumerated().map { index, exchange in
      [
        "\(index + 1)", exchange.best.dateText(&clock), SafeText.oneLine(exchange.best.senderName),
        "#\(exchange.id)", SafeText.oneLine(exchange.best.snippet.text),
      ]
    }
    let names = ranked.exchanges.map { exchange in
      let texts = exchange.messages.map { "\($0.sender?.name ?? "") \($0.text.prefix(400))" }
      return Listing.name(of: exchange.id, texts.joined(separator: " "))
    }
    // Notes have no names: they lead nowhere.
    let notes = ranked.noteTexts
    return Listing(
      lines: Self.lines(TextTable.text(rows, alignsRight: [0])) + notes, choice: .exchange,
      names: names + notes.map { _ in "" })
  }
}

extension RankedAnswer {
  /// What was looked for in place of words that the store does not have, and the limit of the ranking.
  package var noteTexts: [String] { respeltTexts + (limitText.map { [$0] } ?? []) }

  private var respeltTexts: [String] {
    respelt.sorted { $0.key < $1.key }.map { word, forms in
      "no message has '\(SafeText.oneLine(word))': looked for \(SafeText.oneLine(forms.joined(separator: ", ")))"
    }
  }

  /// `nil` if the ranking is complete.
  private var limitText: String? {
    guard !isWhole else { return nil }
    let count = NumberText.grouped(candidateCount)
    return "ranked among \(count) candidates: rare words everywhere, others in the newest messages"
  }
}
