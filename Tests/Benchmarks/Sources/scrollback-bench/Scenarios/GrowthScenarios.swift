import Foundation
import MessageModel
import MessageSourceTesting
import MessageStorage
import TestSupport

/// The scenarios that grow with the number of conversations, against the same with fewer of them; and messages of one time.
struct GrowthScenarios {
  let setting: Setting
  /// The numbers of conversations of the two stores that are compared.
  private let many: Int
  private let few: Int
  /// The number of messages that have one time.
  private let equalCount: Int

  init(setting: Setting) {
    self.setting = setting
    (many, few, equalCount) = setting.depth == .trial ? (1_000, 100, 1_000) : (100_000, 1_000, 20_000)
  }

  /// Measures commands in stores of many and of few conversations, turn by turn.
  func run() throws -> [Finding] {
    SynchronousMessageStore.forgoMemoryFigures()
    let (many, few) = (try imported(self.many), try imported(self.few))
    let commands: [(String, [String])] = [
      ("export as JSON Lines", ["export", "--format", "jsonl"]),
      ("export as text", ["export", "--format", "text"]),
      ("conversations", ["conversations"]),
      ("search of a common word, 5 hits", ["search", "lantern", "--limit", "5"]),
      ("tail -n 50 --all", ["tail", "-n", "50", "--all"]),
    ]
    return [try imports()]
      + (try commands.map { name, arguments in
        try compare(name, Self.program(setting, arguments, many), Self.program(setting, arguments, few))
      })
      + [try firstScreen(many, few), try equalTimes()]
  }

  private static func program(_ setting: Setting, _ arguments: [String], _ store: String) -> Program {
    Program(setting.scrollback, arguments: arguments + ["--store", store])
  }

  private func compare(_ name: String, _ ours: Program, _ theirs: Program) throws -> Finding {
    try Program.compare(
      named(name), ours, with: theirs, named: ofFew, times: setting.depth.times(5))
  }

  private func named(_ name: String) -> String { "\(name), \(Self.grouped(many)) conversations" }

  private var ofFew: String { "\(Self.grouped(few)) conversations" }

  private static func grouped(_ number: Int) -> String {
    number < 1_000 ? "\(number)" : "\(number / 1_000),\(String(1_000 + number % 1_000).dropFirst())"
  }

  // MARK: Imports

  private func imports() throws -> Finding {
    let (many, few) = (try history(self.many), try history(self.few))
    var (ours, theirs) = (Measurement(), Measurement())
    for _ in 0..<setting.depth.times(3) {
      try load(few, into: setting.noStore(named: "growth"), &theirs)
      try load(many, into: setting.noStore(named: "growth"), &ours)
    }
    return Finding(
      name: named("import of JSON Lines"), ours: ours, baseline: (ofFew, theirs))
  }

  private func equalTimes() throws -> Finding {
    let (equal, apart) = (try equalHistory(step: 0), try equalHistory(step: 1))
    var (ours, theirs) = (Measurement(), Measurement())
    for _ in 0..<setting.depth.times(5) {
      try load(apart, into: setting.noStore(named: "growth"), &theirs)
      try load(equal, into: setting.noStore(named: "growth"), &ours)
    }
    return Finding(
      name: "import of \(Self.grouped(equalCount)) messages of one time", ours: ours,
      baseline: ("a millisecond between each two", theirs))
  }

  private func load(_ history: String, into store: String, _ measurement: inout Measurement) throws {
    try Program(setting.scrollback, "import", "--quiet", "--store", store, history).run(into: &measurement)
  }

  private func imported(_ conversations: Int) throws -> String {
    let store = setting.noStore(named: "growth-\(conversations)")
    try Program(setting.scrollback, "import", "--quiet", "--store", store, try history(conversations)).run()
    return store
  }

  // MARK: Histories

  /// Messages a minute apart, of conversations that take turns at random.
  private func history(_ conversations: Int) throws -> String {
    try written("growth-\(conversations)-\(setting.size).jsonl", count: setting.size) { index, dice in
      let conversation = index < conversations ? UInt64(index) : dice.next() % UInt64(conversations)
      let words = (0..<8).map { _ in Self.words[Int(dice.next() % UInt64(Self.words.count))] }
      return Self.line(
        conversation: Int(conversation), milliseconds: index * 60_000, sender: Int(dice.next() % 200),
        text: words.joined(separator: " "))
    }
  }

  /// Messages of as many conversations, so many milliseconds apart.
  private func equalHistory(step: Int) throws -> String {
    try written("equal-\(step).jsonl", count: equalCount) { index, _ in
      Self.line(conversation: index, milliseconds: index * step, sender: 0, text: "hello \(index)")
    }
  }

  private static let words = [
    "lantern", "harbour", "breakfast", "winter", "music", "garden", "train", "letter", "mountain", "coffee",
    "window", "river",
  ]

  private static func line(conversation: Int, milliseconds: Int, sender: Int, text: String) -> String {
    """
    {"conversation":"room \(conversation)","time":\(1_500_000_000_000 + milliseconds),"sender":"s\(sender)","text":"\(text)"}

    """
  }

  private func written(
    _ name: String, count: Int, line: (Int, inout SeededGenerator) -> String
  ) throws -> String {
    let path = setting.path(name)
    var dice = SeededGenerator(seed: 1)
    let file = try OutputFile(creating: path)
    var buffer: [UInt8] = []
    for index in 0..<count {
      buffer += Array(line(index, &dice).utf8)
      guard buffer.count >= 1 << 20 || index == count - 1 else { continue }
      try file.write(buffer)
      buffer.removeAll(keepingCapacity: true)
    }
    try file.close()
    return path
  }

  // MARK: The window

  private func firstScreen(_ many: String, _ few: String) throws -> Finding {
    var (ours, theirs) = (Measurement(), Measurement())
    for _ in 0..<setting.depth.times(11) {
      try open(few, &theirs)
      try open(many, &ours)
    }
    return Finding(
      name: named("start to the newest on screen"), ours: ours, baseline: (ofFew, theirs))
  }

  private func open(_ path: String, _ measurement: inout Measurement) throws {
    let store = try SynchronousMessageStore(path: path, options: .readOnly)
    let count = try store.newestConversation()?.messageCount ?? 0
    store.close()
    let terminal = try measurement.time {
      let terminal = try PseudoTerminal(
        running: setting.scrollback, ["--store", path],
        environment: ["HOME": setting.folder.path, "XDG_STATE_HOME": setting.noStore(named: "state")])
      try terminal.wait(for: "the newest message") { $0.contains(TerminalScenarios.position(count)) }
      return terminal
    }
    terminal.signal(SIGTERM)
    _ = terminal.waitForExit()
  }
}
