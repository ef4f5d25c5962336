import MessageSourceTesting
import TestSupport

/// Words of no language, some tens of thousands in ten scripts, by rank: frequent ones first.
struct MadeUpVocabulary {
  /// The words of one script.
  struct Script {
    /// The number of octaves of ranks: 2^octaves - 1 words.
    let octaves: Int
    /// Whether words are set apart by spaces.
    let hasSpaces: Bool
    fileprivate let firstWord: Int
  }

  private(set) var scripts: [Script] = []
  private var ends: [Int32] = [0]
  private var bytes: [UInt8] = []

  /// Makes the words; always the same ones.
  init() {
    var random = SeededGenerator(seed: 0x5C11)
    for recipe in Self.recipes {
      scripts.append(Script(octaves: recipe.octaves, hasSpaces: recipe.hasSpaces, firstWord: ends.count - 1))
      for rank in 0..<(1 << recipe.octaves) - 1 {
        recipe.appendWord(rank: rank, to: &bytes, with: &random)
        ends.append(Int32(bytes.count))
      }
    }
  }

  /// Appends the word of a rank.
  func append(_ rank: Int, of script: Script, to text: inout [UInt8]) {
    let word = script.firstWord + rank
    bytes.withUnsafeBufferPointer { all in
      text.append(contentsOf: UnsafeBufferPointer(rebasing: all[Int(ends[word])..<Int(ends[word + 1])]))
    }
  }

  /// Returns the word of a rank.
  func word(_ rank: Int, of script: Script) -> String {
    var text: [UInt8] = []
    append(rank, of: script, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  private static let recipes = [
    Recipe(
      octaves: 14, "b c d f g h j k l m n p r s t v w z br dr fl gr kl pl sh sk st th tr",
      "a e i o u a e i o ai ea ou é ö", "- - - - n r s l t nd st ck m"),
    Recipe(octaves: 13, "б в г д ж з к л м н п р с т х ц ч ш", "а е и о у ы я ё", "- - - н р с т к ль"),
    Recipe(octaves: 12, "β γ δ θ κ λ μ ν π ρ σ τ φ χ", "α ε η ι ο υ ω ου", "- - ς ν"),
    Recipe(octaves: 12, "א ב ג ד ה ז ח ט כ ל מ נ ס ע פ צ ק ר ש ת", "- - ו י", "- - ם ן ת"),
    Recipe(octaves: 12, "ب ت ث ج ح د ر ز س ش ص ط ع غ ف ق ك ل م ن ه", "- ا و ي", "- - ة ن"),
    Recipe(octaves: 12, "क ख ग च ज त द न प ब म य र ल व स ह", "- ा ि ी ु े ो", "- - न र"),
    Recipe(octaves: 12, "가 나 다 라 마 바 사 아 자 하 고 노 도 로 모 보 소 오 조", "- 는 을 기 리 지", "- - 고"),
    Recipe(
      octaves: 12, hasSpaces: false, "あ か さ た な は ま や ら わ い き し ち に カ サ タ ナ", "- る す て も",
      "- ん ー"),
    Recipe(
      octaves: 13, hasSpaces: false,
      "天 地 人 山 水 火 木 金 土 日 月 年 时 大 小 中 上 下 左 右 风 雨 花 鸟 海 城 路 车 船 书 画 門",
      "- 的 了 在 学 生 国 家 心 手 食 话", "-"),
    Recipe(octaves: 12, hasSpaces: false, "ก ข ค ง จ ช ด ต ท น บ ป พ ม ร ล ว ส ห", "า ิ ี ุ ู ะ", "- - น ม ก"),
  ]
}

/// The recipe for the words of a script: from one to four syllables of a beginning, a middle and an end.
private struct Recipe {
  let octaves: Int
  let hasSpaces: Bool
  let beginnings: [[UInt8]]
  let middles: [[UInt8]]
  let ends: [[UInt8]]

  /// Takes parts divided by spaces, a hyphen standing for nothing.
  init(octaves: Int, hasSpaces: Bool = true, _ beginnings: String, _ middles: String, _ ends: String) {
    // Split by bytes: as characters, a combining mark would join the space before it.
    func parts(_ list: String) -> [[UInt8]] {
      list.utf8.split(separator: UInt8(ascii: " ")).map { $0.elementsEqual("-".utf8) ? [] : Array($0) }
    }
    self.octaves = octaves
    self.hasSpaces = hasSpaces
    self.beginnings = parts(beginnings)
    self.middles = parts(middles)
    self.ends = parts(ends)
  }

  /// Appends a word, the shorter the more frequent it is.
  func appendWord(rank: Int, to bytes: inout [UInt8], with random: inout SeededGenerator) {
    let syllables = rank < 60 ? 1 : rank < 1_000 ? 2 : 2 + random.below(3)
    for _ in 0..<syllables {
      bytes += beginnings[random.below(beginnings.count)]
      bytes += middles[random.below(middles.count)]
      bytes += ends[random.below(ends.count)]
    }
  }
}
