import Foundation
import MessageSourceTesting
import ScrollbackKit

/// A chat server as a phone meets it: answers are lost, late or doubled, and times corrected afterwards. What was sent is in a file.
actor SlowServer {
  struct Item: Sendable {
    var number: Int
    var text: String
    var time: Timestamp
    var message: NewMessage {
      NewMessage(text, from: "ada", at: time, source: .init(platform: "acme", id: "\(number)"))
    }
  }
  struct LinkDown: Error {}

  /// All messages, in the order of their times, of which no two are the same.
  private(set) var items: [Item]
  /// Those that were sent to it, by number, and what was written or corrected, in that order.
  private var (sent, events): ([Int: Item], [Int]) = ([:], [])
  private let (count, seed, journal): (Int, Int, FileHandle)
  private var faults: SeededGenerator

  init(in folder: URL, _ count: Int, seed: Int, life: Int) async throws {
    items = (0..<count).map { Item(number: $0, text: "message \($0)", time: Self.time($0)) }
    (self.count, self.seed) = (count, seed)
    journal = try FileHandle(forUpdating: folder.appending(path: "sent.txt"))
    faults = SeededGenerator(seed: UInt64(truncatingIfNeeded: seed &+ life))
    let sent = String(decoding: try journal.readToEnd() ?? Data(), as: UTF8.self)
    for text in sent.split(separator: "\n") { take(String(text)) }
  }

  private static func time(_ number: Int) -> Timestamp {
    Timestamp(millisecondsSince1970: 1_700_000_000_000 + Int64(number) * 1_000)
  }

  /// The messages next to one, older or newer, oldest first; the newest without one.
  func page(_ edge: ScrollDirection, of time: Timestamp?, limit: Int) async throws -> [Item] {
    try await carry {
      guard edge == .newer, let time else { return items[..<(time.map(index) ?? items.count)].suffix(limit) }
      return Array(items[index(of: time.advanced(byMilliseconds: 1))...].prefix(limit))
    }
  }

  /// Writes a message; the same text comes from the same sender, and is not written again.
  func post(_ text: String) async throws -> Item? {
    try await carry {
      if let known = sent.values.first(where: { $0.text == text }) { return known }
      journal.write(Data("\(text)\n".utf8))
      return take(text)
    }
  }

  /// What has happened since so many events, and how many there are then; now and then the last of them twice.
  func news(since known: Int) async throws -> (items: [Item], count: Int) {
    try await carry {
      let start = max(known - Int.random(in: 0...1, using: &faults), 0)
      return (events[min(start, events.count)...].compactMap { sent[$0] }, events.count)
    }
  }

  /// Carries a question and its answer over the link. A message whose answer is lost is there all the same.
  private func carry<Answer>(_ answer: () -> Answer) async throws -> Answer {
    var answers: [Answer] = []
    for _ in 1...2 {
      FileHandle.standardOutput.write(Data(".".utf8))  // Whoever has started this process counts them.
      try await Task.sleep(for: .microseconds(Int.random(in: 0...3_000, using: &faults)))
      if Int.random(in: 0..<8, using: &faults) == 0 { throw LinkDown() }
      if answers.isEmpty { answers.append(answer()) }
    }
    return answers[0]
  }

  /// Writes a message. Of every third it turns out that it was written half a second before another one.
  @discardableResult private func take(_ text: String) -> Item? {
    let number = count + sent.count
    put(Item(number: number, text: text, time: Self.time(number)))
    if number % 3 == 0 {
      var choice = SeededGenerator(seed: UInt64(truncatingIfNeeded: seed &+ number))
      let time = Self.time(.random(in: 0..<count, using: &choice))
      put(Item(number: number, text: text, time: time.advanced(byMilliseconds: -500 + Int64(number % 400))))
    }
    return sent[number]
  }

  /// Puts a message where it belongs, unless another has its time.
  private func put(_ item: Item) {
    let place = index(of: item.time)
    if place < items.count, items[place].time == item.time { return }
    items.insert(item, at: place)
    if let before = sent.updateValue(item, forKey: item.number) { items.remove(at: index(of: before.time)) }
    events.append(item.number)
  }

  /// The place of the first message that is not before a time.
  private func index(of time: Timestamp) -> Int {
    var (low, high) = (0, items.count)
    while low < high {
      let middle = (low + high) / 2
      if items[middle].time < time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
