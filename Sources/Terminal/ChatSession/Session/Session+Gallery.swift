internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import TerminalText

/// The gallery covers the messages; arrows choose a picture, and Enter goes to its message.
extension Session {
  /// - Parameter query: Empty for all pictures.
  mutating func showGallery(_ query: String) throws -> Effects {
    let predicate = try query.isEmpty ? nil : context.predicate(of: query)
    let selection = predicate.map { context.selection.narrowed(to: $0) } ?? context.selection
    guard reader.traits.hasWindow else { return try printGallery(selection) }
    reader.cover = .gallery(Gallery(of: selection, words: query))
    return Effects(stops: [.hits])
  }

  private static var printedPictures: Int { 20 }

  private func printGallery(_ selection: Selection) throws -> Effects {
    let answer = try QuestionAnswerer(context.store).shared(
      .pictures, in: selection, limit: Self.printedPictures, isCancelled: { Interruption.isAskedFor })
    guard !answer.shared.isEmpty else {
      throw UsageError("there are no pictures here", status: .nothingFound)
    }
    let table = SharedTable(timeZone: context.zone, isOfSeveral: false)
    let lines = table.text(of: answer.shared, layout: TableLayout(encoder: StyleEncoder(.none)))
      .split(separator: "\n").map(String.init)
    return Effects(.listing(Listing(lines: lines + (answer.next == nil ? [] : ["… older ones"]))))
  }
}

extension Session where R == ScreenReader {
  /// `nil` if the event has its usual meaning.
  mutating func answerInGallery(_ event: ReplEvent) throws -> Effects? {
    // Typing replies to the question.
    guard question == nil else { return nil }
    switch event {
    case .typed("q") where reader.traits.isView: return try press(inGallery: .escape, 1)
    case .typed: return Effects()
    case .line(let line):
      let words = line.trimming(while: \.isWhitespace)
      if words.isEmpty { return try goToChosenPicture() }
      guard CommandParser.isCommand(line) else { return try showGallery(String(words)) }
      reader.putAway()
      return nil
    case .search:
      reader.putAway()
      return nil
    case .key(let key, let count): return try press(inGallery: key, min(max(1, count), 10_000))
    case .interrupted:
      reader.putAway()
      return Effects()
    case .storeChanged:
      reader.cover.gallery?.noticeChange()
      return nil
    case .resized, .timePassed, .reported, .completions: return nil
    }
  }

  private mutating func press(inGallery key: ReplKey, _ count: Int) throws -> Effects {
    guard let grid = reader.cover.gallery?.grid else { return Effects() }
    func move(_ places: Int) { reader.cover.gallery?.move(places * count) }
    switch key {
    case .dayOlder, .nextHit, .repeatHit: move(-1)
    case .dayNewer, .previousHit, .reverseHit: move(1)
    case .rowOlder: move(-grid.columns)
    case .rowNewer: move(grid.columns)
    case .rowsOlder: move(-3 * grid.columns)
    case .rowsNewer: move(3 * grid.columns)
    case .halfOlder: move(-grid.columns * max(1, grid.rows / 2))
    case .halfNewer: move(grid.columns * max(1, grid.rows / 2))
    case .pageOlder: move(-grid.count)
    case .pageNewer: move(grid.count)
    // The newest is at the top, as in a list of hits.
    case .newest: reader.cover.gallery?.move(-.max)
    case .oldest: reader.cover.gallery?.move(.max)
    case .choose: return try goToChosenPicture()
    case .close, .escape:
      reader.putAway()
      return Effects(emptiesLine: true)
    case .redraw, .unread, .hits, .map, .switcher, .answered, .steps: break
    }
    return Effects()
  }

  private mutating func goToChosenPicture() throws -> Effects {
    guard let item = reader.cover.gallery?.chosenItem else { return Effects() }
    reader.putAway()
    return try move(.to(.around(item.id), amongOthers: true)).adding(Effects(emptiesLine: true))
  }
}
