package import HistoryQueries
internal import TerminalText

/// Days or months in columns: the date and the messages.
package enum DayTable {
  /// Returns a line per day or month.
  package static func text(of days: [DayAnswer]) -> String {
    let rows = days.map { [$0.day ?? $0.month ?? "", NumberText.grouped($0.messages)] }
    return TextTable.text(rows, alignsRight: [1])
  }
}
