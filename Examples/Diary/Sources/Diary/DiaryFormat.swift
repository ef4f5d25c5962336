// sample
import Foundation
import HistoryTransfer
import ScrollbackKit

/// A diary of several people: days as headings, lines of a time, a name and a text, indented lines that go on.
struct DiaryFormat: ImportFormat {
  let name = "diary"
  let title = "a diary of several people"

  func score(_ sample: FormatSample) -> Int {
    let first = sample.lines.first.map { String(decoding: $0, as: UTF8.self) }
    return first?.wholeMatch(of: DiaryReader.heading) == nil ? 0 : 80
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    DiaryReader(file, options)
  }
}
// end

// sample
struct DiaryReader: HistoryReader {
  static var heading: Regex<(Substring, Substring, Substring, Substring)> { /# (\d{4})-(\d{2})-(\d{2})/ }

  private var lines: LineReader
  private let options: ImportOptions
  private let conversation: String
  private var day: DateComponents?

  init(_ file: InputFile, _ options: ImportOptions) {
    lines = LineReader(file)
    self.options = options
    conversation = file.name.split(separator: ".").first.map(String.init) ?? file.name
  }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    while true {
      switch try lines.next() {
      case .end: return false
      case .overlong: sink.skip(line: lines.number, reason: LineReader.overlong)
      case .line(let bytes):
        let line = options.fallbackEncoding.string(bytes)  // UTF-8, or what the user has named
        // Only between messages, so that lines can be added to the last one.
        if sink.isFull, !line.hasPrefix("  ") {
          lines.putBack()
          return true
        }
        take(line, into: &sink)
      }
    }
  }

  private mutating func take(_ line: String, into sink: inout RecordSink) {
    if let found = line.wholeMatch(of: Self.heading) {
      day = DateComponents(year: Int(found.1), month: Int(found.2), day: Int(found.3))
    } else if line.hasPrefix("  "), sink.extendLast(withLine: String(line.dropFirst(2))) {
      return
    } else if let found = line.wholeMatch(of: /(\d{2}):(\d{2}) ([^:]+): (.*)/),
      let time = time(found.1, found.2)
    {
      let message = RichMessage(
        time: time, precision: .minute, sender: String(found.3), text: String(found.4))
      sink.append(message, to: conversation, line: lines.number)
    } else if !line.isEmpty {
      sink.skip(line: lines.number, reason: "it is neither a day nor a message", record: line)
    }
  }

  private func time(_ hour: Substring, _ minute: Substring) -> Timestamp? {
    guard var components = day else { return nil }
    (components.hour, components.minute) = (Int(hour), Int(minute))
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = options.timeZone
    guard components.isValidDate(in: calendar) else { return nil }
    return calendar.date(from: components).map { Timestamp($0) }
  }
}
// end
