import Foundation
import HistoryQueries
import MessageModel
import MessageSourceTesting
import MessageStorage
import ShellTesting
import TestSupport
import Testing

/// Questions about all conversations as one timeline, and about what there is between a person and whoever asks.
@Suite struct PersonQuestionTests {
  /// The answer is one to another question.

  /// A history of some conversations, direct and others, in which two accounts of Ann and others write by chance; the days
  /// and texts of its messages, oldest first, are known besides.
  private struct Sample {
    struct Written: Equatable {
      var day: String
      var text: String
      var isWithAnn: Bool
      var isInRoom: Bool
      var hasLink: Bool
    }

    let fixture: ShellFixture
    let store: SynchronousMessageStore
    let written: [Written]
    var queries: QuestionAnswerer { QuestionAnswerer(store) }
    var withAnn: [Written] { written.filter(\.isWithAnn) }

    init(seed: UInt64) throws {
      var dice = SeededGenerator(seed: seed)
      fixture = try ShellFixture(count: 0)
      let names = ["chat ann", "chat annie", "chat bob", "room", "club", "unsaid"]
      let direct: [Bool?] = [true, true, true, false, false, nil]
      store = try SynchronousMessageStore(
        path: fixture.store, options: StoreOptions(access: .readWrite))
      for (name, isDirect) in zip(names, direct) {
        _ = try store.makeConversation(named: name, isDirect: isDirect)
      }
      let format = ISO8601DateFormatter()
      var (lines, all) = ("", [(place: Int, sender: String, time: String, text: String)]())
      for number in 0..<300 {
        let place = Int.random(in: 0..<6, using: &dice)
        let others = ["bob", "carol", "me"]
        let own = place == 0 ? ["ann", "me"] : place == 1 ? ["annie", "me"] : others
        let mayAnn = place > 2 && Int.random(in: 0..<4, using: &dice) == 0
        let sender =
          mayAnn ? ["ann", "annie"].randomElement(using: &dice)! : own.randomElement(using: &dice)!
        let link = number.isMultiple(of: 7) ? " https://example.org/\(number)" : ""
        let time = format.string(
          from: Date(timeIntervalSince1970: 1_714_521_600 + Double(number) * Double(5_000 + seed)))
        all.append((place, sender, time, "words \(number)\(link)"))
        lines +=
          #"{"conversation":"\#(names[place])","time":"\#(time)","sender":"\#(sender)","text":"words \#(number)\#(link)"}"#
          + "\n"
      }
      try fixture.add(lines)
      try fixture.run(["people", "link", "Ann", "ann", "annie"])
      let met = Set(all.filter { ["ann", "annie"].contains($0.sender) }.map(\.place))
      written = all.map { message in
        Written(
          day: String(message.time.prefix(10)), text: message.text,
          isWithAnn: ["ann", "annie"].contains(message.sender)
            || (direct[message.place] == true && met.contains(message.place)),
          isInRoom: message.place == 3, hasLink: message.text.contains("http"))
      }
    }

    /// What a question in JSON is answered.
    func answer<Answer: HistoryAnswer>(_ json: String) throws -> Answer {
      try #require(queries.answer(AnyHistoryQuestion(json: json)).answer as? Answer)
    }

    func page(_ json: String) throws -> PageAnswer { try answer(json) }
  }

  @Test(arguments: UInt64(0)..<(isLong ? 6 : 2))
  func `all conversations, and all with a person, are read by pages from both ends with exact numbers`(
    seed: UInt64
  ) throws {
    let sample = try Sample(seed: seed)
    for (key, all) in [("", sample.written), (#","person":"aNN""#, sample.withAnn)] {
      #expect(!all.isEmpty)
      for (start, onward) in [(#""newest""#, "before"), (#""oldest""#, "after")] {
        var (place, seen) = (start, [String]())
        while true {
          let page = try sample.page(#"{"question":"page"\#(key),"at":\#(place),"limit":37}"#)
          #expect(page.total == all.count && page.exact == true)
          let texts = page.messages.map { $0.text ?? "" }
          let first = try #require(page.firstNumber) - 1
          #expect(texts == all[first..<(first + texts.count)].map(\.text))
          seen = onward == "before" ? texts + seen : seen + texts
          guard let edge = onward == "before" ? page.messages.first : page.messages.last,
            onward == "before" ? page.hasOlder : page.hasNewer
          else { break }
          place = #"{"\#(onward)":"\#(edge.id)"}"#
        }
        #expect(seen == all.map(\.text))
      }
      let middle = try sample.page(#"{"question":"page"\#(key),"at":{"number":50},"older":0,"limit":1}"#)
      #expect(middle.messages.map(\.text) == [all[49].text])
    }
  }

  @Test(arguments: UInt64(0)..<(isLong ? 4 : 2))
  func `hits, days, groups, links and anniversaries with a person are of what there is with them`(
    seed: UInt64
  ) throws {
    let sample = try Sample(seed: seed)
    let all = sample.withAnn
    let hits: HitsAnswer = try sample.answer(
      #"{"question":"hits","words":"words","person":"Ann","limit":1000,"counts":true}"#)
    #expect(hits.hits.map { $0.message.text ?? "" } == all.reversed().map(\.text))
    #expect(hits.total == all.count)
    let shared: SharedAnswer = try sample.answer(
      #"{"question":"shared","person":"Ann","limit":1000}"#)
    #expect(shared.shared.count == all.count(where: \.hasLink))
    let groups: GroupsAnswer = try sample.answer(
      #"{"question":"groups","by":"sender","person":"Ann"}"#)
    #expect(groups.total == all.count)
    let in2030 = QuestionAnswerer(sample.store) { Timestamp(utc: CivilTime(year: 2030, month: 5, day: 1)) }
    let years = try in2030.answer(AnniversariesQuestion(day: "may 3", person: "Ann", limit: 1_000))
    #expect(
      years.years.flatMap { $0.messages.map { $0.text ?? "" } }
        == all.filter { $0.day == "2024-05-03" }.map(\.text))
  }

  @Test(arguments: UInt64(0)..<(isLong ? 4 : 2), [1, 3, 1_000])
  func `days with a person are gone through by their keys, with the numbers of their first messages`(
    seed: UInt64, limit: Int
  ) throws {
    let sample = try Sample(seed: seed)
    for (key, all) in [
      (#""person":"Ann""#, sample.withAnn),
      (#""person":"Ann","conversation":"room""#, sample.withAnn.filter(\.isInRoom)),
    ] {
      var wanted: [(day: String, first: Int, count: Int)] = []
      for (index, message) in all.enumerated() {
        if wanted.last?.day == message.day {
          wanted[wanted.count - 1].count += 1
        } else {
          wanted.append((message.day, index + 1, 1))
        }
      }
      var (found, from) = ([DayAnswer](), "")
      while true {
        let answer: DaysAnswer = try sample.answer(
          #"{"question":"days",\#(key),"limit":\#(limit)\#(from)}"#)
        #expect(answer.days.count <= limit)
        found += answer.days
        guard let next = answer.next else { break }
        from = #","from":"\#(next)""#
      }
      #expect(found.map(\.day) == wanted.map(\.day))
      #expect(found.map(\.firstNumber) == wanted.map(\.first))
      #expect(found.map(\.messages) == wanted.map(\.count))
    }
  }

  @Test func `a person beside conversations is what of them is there`() throws {
    let sample = try Sample(seed: 1)
    let page = try sample.page(
      #"{"question":"page","person":"Ann","conversations":["room"],"limit":1000}"#)
    #expect(page.messages.map { $0.text ?? "" } == sample.withAnn.filter(\.isInRoom).map(\.text))
  }

  @Test func `a person who is not there is named with the nearest, and one without messages has none`() throws
  {
    let sample = try Sample(seed: 2)
    let error = #expect(throws: StoreError.self) { try sample.page(#"{"question":"page","person":"Anm"}"#) }
    #expect(error?.kind == .notFound && error?.cause?.contains("'Ann'") == true)
    try sample.fixture.run(["people", "unlink", "Ann"])
    #expect(throws: StoreError.self) { try sample.page(#"{"question":"days","person":"Ann"}"#) }
  }
}
