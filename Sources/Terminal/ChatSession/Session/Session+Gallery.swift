internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import TerminalText

extension Session {
  /// - Parameter query: Empty for all pictures.
  mutating func showGallery(_ query: String) throws -> Effects {
    let predicate = try query.isEmpty ? nil : context.predicate(of: query)
    let selection = predicate.map { context.selection.narrowed(to: $0) } ?? context.selection
    guard reader.traits.hasWindow else { return try printGallery(selection) }
    reader.cover.list = Gallery(of: selection)
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
