import ChatSession
import Foundation
import MessageModel
import MessageStorage
internal import TerminalText

/// A list of 40,000 rows took over a second to enter, because every row was made at once.
struct RowsStory {
  let largest: Int

  func run(on stage: StoryStage) throws -> StoryTable {
    var table = StoryTable(title: "rows: entering a list, its top, its bottom, its order switched")
    let naive = try measureNaively(on: stage)
    for size in Set([min(40_000, largest), largest]).sorted() {
      let store = try Setting(size: size, folder: stage.folder).store()
      let ours = try stage.play(.rows, [store])
      for step in ["enter", "top", "bottom", "switch"] {
        table.add(
          "\(size) rows: \(step)", ours["\(step)-p99"] ?? .infinity, .milliseconds, atMost: 5,
          naive: naive.text("\(step)", at: size))
        table.add("  median", ours[step] ?? .infinity, .milliseconds)
        table.add("  worst", ours["\(step)-worst"] ?? .infinity, .milliseconds)
      }
      table.add("\(size) rows: enter, the first time", ours["enter-first"] ?? .infinity, .milliseconds)
      table.add("\(size) rows: memory", ours["peak"] ?? 0, .megabytes, naive: naive.text("peak", at: size))
    }
    table.remarks = [
      "The 99th percentile of 500 runs each, to the bytes of the painted screen. Naive: all rows are read and laid out at once."
    ]
    return table
  }

  /// The naive way at the sizes that were tried.
  private struct Naive {
    var measured: [(size: Int, figures: StoryStage.Figures?)]

    func text(_ name: String, at size: Int) -> String {
      let unit = name == "peak" ? StoryTable.Unit.megabytes : .milliseconds
      if let here = measured.first(where: { $0.size == size }), let value = here.figures?[name] {
        return unit.text(value)
      }
      guard let last = measured.last(where: { $0.figures != nil }), let value = last.figures?[name] else {
        return "did not survive"
      }
      return "≈ \(unit.text(value * Double(size) / Double(last.size))), extrapolated from \(last.size)"
    }
  }

  private func measureNaively(on stage: StoryStage) throws -> Naive {
    var naive = Naive(measured: [])
    for size in Set([min(40_000, largest), min(400_000, largest)]).sorted() {
      let store = try Setting(size: size, folder: stage.folder).store()
      naive.measured.append(
        (size, try stage.playNaively(.rowsNaively, [store, "--count", "\(size)"])))
    }
    return naive
  }
}

/// The figures that both ways measure.
private func tellSteps(_ steps: [(String, Measurement)]) {
  for (name, times) in steps {
    StoryPart.tell(name, times.median / 1e6)
    StoryPart.tell("\(name)-p99", times.p99 / 1e6)
    StoryPart.tell("\(name)-worst", times.quantile(1) / 1e6)
    StoryPart.tell("\(name)-first", Double(times.nanoseconds.first ?? 0) / 1e6)
  }
}

private let screen = (rows: 50, columns: 120)

/// The REPL's own session, from the key to the bytes for the terminal.
struct RowsPart {
  let store: String

  func run() throws {
    let store = try SynchronousMessageStore(path: store, options: StoreOptions(access: .readOnly))
    defer { store.close() }
    let context = try StoryContext.make(store)
    var (enter, top, bottom, turned) = (Measurement(), Measurement(), Measurement(), Measurement())
    var bytes = 0
    for _ in 0..<500 {
      var painter = ScreenPainter(StyleEncoder(.indexed))
      var session = try enter.time {
        var session = try Session(context, rows: screen.rows, columns: screen.columns)
        bytes += painter.paint(ScreenReader.show(&session).shown).utf8.count
        return session
      }
      for (key, _) in [(ReplKey.oldest, 0), (.newest, 1)] {
        let body = {
          _ = session.handle(.key(key))
          bytes += painter.paint(ScreenReader.show(&session).shown).utf8.count
        }
        if key == .oldest { top.time(body) } else { bottom.time(body) }
      }
      try turned.time { bytes += try paintSwitched(store, context) }
    }
    tellSteps([("enter", enter), ("top", top), ("bottom", bottom), ("switch", turned)])
    StoryPart.tell("bytes", Double(bytes))
  }

  /// The REPL has one order; a list of an app that has the newest on top reads a page the other way round.
  private func paintSwitched(_ store: SynchronousMessageStore, _ context: ReplContext) throws -> Int {
    let page = try store.page(
      PageRequest(context.selection, order: .newestFirst, anchor: .newest, fetchLimit: 50))
    return StoryContext.paint(page.messages, screen.columns, height: screen.rows)
  }
}

/// All rows read, all laid out, then the screen cut from them.
struct NaiveRowsPart {
  let store: String
  let count: Int

  func run() throws {
    let store = try SynchronousMessageStore(path: store, options: StoreOptions(access: .readOnly))
    defer { store.close() }
    let context = try StoryContext.make(store)
    let selection = context.selection
    var (enter, top, bottom, turned) = (Measurement(), Measurement(), Measurement(), Measurement())
    for _ in 0..<3 {
      var messages: [Message] = []
      var rows: [Row] = []
      try enter.time {
        messages = try store.page(PageRequest(selection, anchor: .newest, fetchLimit: count)).messages
        rows = StoryContext.rows(of: messages, screen.columns)
        _ = StoryContext.paint(rows.suffix(screen.rows))
      }
      top.time { _ = StoryContext.paint(rows.prefix(screen.rows)) }
      bottom.time { _ = StoryContext.paint(rows.suffix(screen.rows)) }
      turned.time {
        rows = StoryContext.rows(of: messages.reversed(), screen.columns)
        _ = StoryContext.paint(rows.prefix(screen.rows))
      }
    }
    tellSteps([("enter", enter), ("top", top), ("bottom", bottom), ("switch", turned)])
  }
}
