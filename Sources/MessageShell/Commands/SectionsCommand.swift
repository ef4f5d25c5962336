internal import MessageModel
package import MessageStorage
internal import TerminalText

/// `conversations --by`: the days or months of a conversation, with their counts.
package enum SectionsCommand {
  /// Returns a line per section: the date and the messages.
  package static func table(of sections: [HistorySection], by span: HistorySection.Span) -> String {
    let rows = sections.map { [name(of: $0, by: span), NumberText.grouped($0.count)] }
    return TextTable.text(rows, alignsRight: [1])
  }

  /// Returns a JSON object a line.
  ///
  /// - Parameter conversation: The name that each object carries; `nil` where all conversations are meant.
  package static func json(of sections: [HistorySection], by span: HistorySection.Span, conversation: String?)
    -> String
  {
    let place = conversation.map { "\"conversation\":\(JSONString.of($0))," } ?? ""
    return sections.map {
      """
      {\(place)"\(span.rawValue)":"\(name(of: $0, by: span))","messages":\($0.count),\
      "firstNumber":\($0.firstOrdinal + 1),"firstID":"\($0.oldest)"}

      """
    }.joined()
  }

  private static func name(of section: HistorySection, by span: HistorySection.Span) -> String {
    let date = DateText.date(section.start)
    return span == .day ? date : String(date.dropLast(3))
  }
}
