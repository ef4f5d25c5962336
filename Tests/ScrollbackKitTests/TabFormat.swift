import HistoryTransfer
import ScrollbackKit

// The sample of ImportFormat, word for word: SampleTests compares them.

/// Lines of a time in seconds, a name and a text, with tabs between them.
struct TabFormat: ImportFormat {
  let name = "tabs"
  let title = "Tabbed lines"

  func score(_ sample: FormatSample) -> Int {
    sample.percent { line in line.count { $0 == 0x09 } == 2 } >= 50 ? 70 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    TabReader(lines: LineReader(file), encoding: options.fallbackEncoding, conversation: file.name)
  }
}

struct TabReader: HistoryReader {
  var lines: LineReader
  let encoding: FallbackEncoding
  let conversation: String

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    while !sink.isFull {
      switch try lines.next() {
      case .line(let bytes): take(encoding.string(bytes), into: &sink)
      case .overlong: sink.skip(line: lines.number, reason: LineReader.overlong)
      case .end: return false
      }
    }
    return true
  }

  private func take(_ line: String, into sink: inout RecordSink) {
    let cells = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    guard cells.count == 3, let seconds = UInt32(cells[0]) else {
      return sink.skip(line: lines.number, reason: "it has no time", record: line)
    }
    let message = RichMessage(
      time: Timestamp(millisecondsSince1970: Int64(seconds) * 1_000), precision: .second, sender: cells[1],
      text: cells[2])
    sink.append(message, to: conversation, line: lines.number)
  }
}
