import Foundation
import ScrollbackKit

/// Answers what begins with `@bot` in a conversation, in whatever process it is written: `@bot roll 20`, `@bot count tea`.
///
/// Where it has got to is a mark in the store, and each answer carries the id of its question: whether it is killed before
/// or after it has answered, no question is answered twice, and none is left out.
@main struct Bot {
  let store: MessageStore
  let room: Conversation.ID

  static func main() async throws {
    guard CommandLine.arguments.count >= 3 else { return print("usage: Bot STORE CONVERSATION [once]") }
    let store = try await MessageStore(path: CommandLine.arguments[1])
    let name = CommandLine.arguments[2]
    let found = try await store.read { try $0.conversation(named: name) }
    guard let conversation = found else {
      return print("there is no such conversation in \(store.path)")
    }
    let bot = Bot(store: store, room: conversation.id)
    // One element at once, and then one after each commit.
    for await _ in store.changes() {
      try await bot.catchUp()
      if CommandLine.arguments.last == "once" { break }
    }
  }

  private var mark: String { "bot \(room.rawValue)" }

  /// Reads on from the mark, page by page, to the newest message.
  func catchUp() async throws {
    var place = try await store.read { try $0.marks() }.first { $0.name == mark }?.message ?? .lowest
    while true {
      let request = PageRequest(Selection(room), anchor: .after(place), fetchLimit: 100, wantsCounts: false)
      let page = try await store.page(request)
      for message in page.messages { try await answer(message) }
      guard let last = page.messages.last else { return }
      place = last.id
      let reached = NamedMark(name: mark, conversation: room, message: place)
      try await store.write { try $0.setMark(reached) }
    }
  }

  private func answer(_ question: Message) async throws {
    guard question.sender?.name != "bot", question.text.hasPrefix("@bot ") else { return }
    let words = question.text.split(separator: " ").dropFirst().map(String.init)
    let source = Message.Source(platform: "bot", id: "answer to \(question.id)")
    // Answered before the mark was set, in an earlier run.
    guard try await store.read({ try $0.messageID(platform: "bot", id: source.id ?? "") }) == nil else {
      return
    }
    let answer = NewMessage(
      try await text(words), from: "bot", replyTo: .message(question.id), source: source)
    let ids = try await store.append([answer], to: room)
    print("\(question.id) is answered by \(ids)")
  }

  private func text(_ words: [String]) async throws -> String {
    switch (words.first, words.dropFirst().first) {
    case ("roll", let sides): "\(Int.random(in: 1...max(sides.flatMap { Int($0) } ?? 6, 1)))"
    case ("count", let word?):
      "\(try await store.read { try $0.hitCount(.matching(word), in: Selection(room)) }) messages"
    default: "I know: roll SIDES, count WORD"
    }
  }
}
