internal import HistoryQueries
internal import MessageModel
package import MessageStorage
internal import TerminalText

/// The list of what answers a question best: a line of each exchange, to go to it.
extension Session {
  /// Lists the exchanges that answer a question best; without one, the words of the present search or of the last list of hits.
  mutating func listBest(_ question: String) throws -> Effects {
    guard let asked = question.isEmpty ? search?.query ?? formerHits?.search?.query : question else {
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
    bestSearch = HitSearch(asked, .matching(ranked.words), number: 0)
    return Effects(.listing(context.listing(of: ranked)))
  }

  /// Goes to a line of an exchange; what was asked for is the search then, whatever else has one of its words.
  mutating func goToExchange(at id: Message.ID) throws -> Effects {
    guard reader.traits.hasWindow, var best = bestSearch else {
      return try go(to: .message(id))
    }
    searchNumber += 1
    best.number = searchNumber
    search = best
    try show(hit: id)
    search?.isCounting = false
    return Effects(jobs: counting(), stops: [.ahead, .count])
  }
}

extension ReplContext {
  /// A line for each exchange: its rank, the date, the sender and a part of its best line, and the id that leads to it.
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
    // A line that leads nowhere has no name.
    let limit = ranked.limitText.map { [$0] } ?? []
    return Listing(
      lines: Self.lines(TextTable.text(rows, alignsRight: [0])) + limit, choice: .exchange,
      names: names + limit.map { _ in "" })
  }
}

extension RankedAnswer {
  /// The sentence on what was left out of a ranking; `nil` if nothing was.
  package var limitText: String? {
    guard !isWhole else { return nil }
    let count = NumberText.grouped(candidateCount)
    return "ranked among \(count) candidates: rare words everywhere, others in the newest messages"
  }
}
