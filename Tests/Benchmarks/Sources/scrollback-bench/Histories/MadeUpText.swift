import MessageModel
import MessageSourceTesting
import TestSupport

/// Writes what a made-up message says: mostly a few words, seldom a long text, with links and emoji here and there.
struct MadeUpText: Sendable {
  private let vocabulary = MadeUpVocabulary()

  /// Returns different names, always the same ones: frequent words of all scripts, most of them Latin.
  func names(count: Int) -> [String] {
    var seen: Set<String> = []
    var names: [String] = []
    var rank = 60
    while names.count < count {
      let script = vocabulary.scripts[rank % 8 == 0 ? rank / 8 % vocabulary.scripts.count : 0]
      let word = vocabulary.word(rank % ((1 << script.octaves) - 1), of: script)
      let name = seen.contains(word) ? "\(word)\(rank)" : word
      if seen.insert(name).inserted { names.append(name) }
      rank += 1
    }
    return names
  }

  /// Replaces `text` by what a message of this kind says.
  func write(_ kind: Message.Kind, by sender: Int, to text: inout [UInt8], with random: inout SeededGenerator)
  {
    text.removeAll(keepingCapacity: true)
    switch kind {
    case .join: text += Array("has joined".utf8)
    case .part: text += Array("has left".utf8)
    case .quit: text += Array("has quit".utf8)
    default: writeSpeech(in: script(of: sender, with: &random), to: &text, with: &random)
    }
  }

  /// Each sender writes Latin, and every fourth one another script besides.
  private func script(of sender: Int, with random: inout SeededGenerator) -> MadeUpVocabulary.Script {
    guard sender % 4 == 3, !random.oneIn(4) else { return vocabulary.scripts[0] }
    return vocabulary.scripts[1 + sender / 4 % (vocabulary.scripts.count - 1)]
  }

  private func writeSpeech(
    in script: MadeUpVocabulary.Script, to text: inout [UInt8], with random: inout SeededGenerator
  ) {
    let isLong = random.oneIn(2_000)
    let words = Self.lengths[random.below(Self.lengths.count)] * (isLong ? 40 : 1)
    for index in 0..<words {
      if index > 0 { writeGap(in: script, isLong: isLong, to: &text, with: &random) }
      vocabulary.append(random.zipf(octaves: script.octaves), of: script, to: &text)
    }
    if random.oneIn(40) { writeLink(to: &text, with: &random) }
    text += Self.endings[random.below(Self.endings.count)]
    if random.oneIn(12) { text += Self.emoji[random.below(Self.emoji.count)] }
  }

  private func writeGap(
    in script: MadeUpVocabulary.Script, isLong: Bool, to text: inout [UInt8],
    with random: inout SeededGenerator
  ) {
    if isLong, random.oneIn(60) {
      text.append(UInt8(ascii: "\n"))
    } else if random.oneIn(12) {
      text += Self.comma
    } else if script.hasSpaces {
      text.append(UInt8(ascii: " "))
    }
  }

  private func writeLink(to text: inout [UInt8], with random: inout SeededGenerator) {
    text += Self.linkStart
    vocabulary.append(random.zipf(octaves: 13), of: vocabulary.scripts[0], to: &text)
    text.append(UInt8(ascii: "/"))
    text += Array(String(random.below(100_000)).utf8)
  }

  /// The log-normal distribution with a median of 7 words, at 64 equally likely places.
  private static let lengths = [
    1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 7, 7, 7, 7, 8,
    8, 8, 8, 9,
    9, 9, 10, 10, 10, 11, 11, 12, 12, 13, 13, 14, 15, 15, 16, 17, 18, 19, 21, 22, 24, 27, 31, 38, 55,
  ]
  private static let comma = Array(", ".utf8)
  private static let linkStart = Array(" https://example.org/".utf8)
  private static let endings = ["", "", "", ".", ".", "?", "!", "…"].map { Array($0.utf8) }
  private static let emoji = [
    " 🙂", " 😂", " 👍", " 👍🏽", " 👩‍💻", " 👨‍👩‍👧‍👦", " 🏳️‍🌈", " 🇪🇺", " ❤️", " ✍🏿", " 1️⃣", " 🎉",
  ].map { Array($0.utf8) }
}
