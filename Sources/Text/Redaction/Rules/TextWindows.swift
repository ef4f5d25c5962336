/// Cuts a long text into windows that overlap, so that it is looked through in bounded memory.
///
/// What is shorter than an eighth of a window (32 KiB) in any form of the text stands whole in one of them, however long it is as it is
/// written: the overlap is measured in each form. It has four times the bytes of a window (1 MiB) at most.
package struct TextWindows: Sendable {
  private var buffer: [UInt8] = []
  private var isFirst = true
  /// The number of bytes that make the next window.
  private var wanted: Int
  private let depth: Int
  private let size: Int
  /// Whether something was passed by that is encoded in more bytes than a window holds.
  package private(set) var isCut = false

  package static let size = 256 << 10

  private var margin: Int { size / 8 }
  private var most: Int { size * 4 }

  /// Creates windows over a text that begins, in forms that are decoded some times.
  init(depth: Int = NormalForm.depth, size: Int = Self.size) {
    (self.depth, self.size, wanted) = (depth, size, size)
  }

  /// A part of a text, in its forms.
  struct Window {
    struct Form {
      let text: NormalText
      let isUnmarked: Bool
    }

    let bytes: [UInt8]
    /// The part as it is written, and its other forms.
    let forms: [Form]
    /// The parts that are encoded deeper than is decoded.
    let unread: [Range<Int>]
    /// The bytes at the start of each form that show what stands before a place, and at its end that stand in the next window again.
    private let context: Int
    private let margin: Int

    fileprivate init(_ bytes: [UInt8], depth: Int, context: Int, margin: Int) {
      (self.bytes, self.context, self.margin) = (bytes, context, margin)
      (forms, unread) = bytes.withUnsafeBufferPointer { bytes in
        var forms = [Form(text: NormalText(bytes), isUnmarked: false)]
        let unread = NormalForm.each(of: bytes, depth: depth) { text, isUnmarked in
          forms.append(Form(text: text, isUnmarked: isUnmarked))
        }
        return (forms, unread)
      }
    }

    /// A whole text.
    init(whole bytes: [UInt8], depth: Int) { self.init(bytes, depth: depth, context: 0, margin: 0) }

    /// Whether what was found at a place of a form counts here, and not in the window before or behind.
    func counts(_ range: Range<Int>, in form: NormalText) -> Bool {
      range.lowerBound >= context && range.upperBound <= form.bytes.count - margin
    }

    /// The start of the next window.
    fileprivate var next: Int {
      forms.reduce(bytes.count) { start, form in
        let place = form.text.bytes.count - 2 * margin
        return place <= 0 ? 0 : min(start, form.text.origin(of: place..<place + 1).lowerBound)
      }
    }
  }

  /// Takes what comes next, and returns what `find` finds in a window that is full.
  mutating func take<Found>(_ bytes: some Collection<UInt8>, _ find: (Window) -> Found?) -> Found? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = rest.prefix(size)
      buffer += part
      rest = rest.dropFirst(part.count)
      guard buffer.count >= wanted else { continue }
      let window = Window(buffer, depth: depth, context: context, margin: margin)
      if let found = find(window) { return found }
      forget(window.next)
    }
    return nil
  }

  private var context: Int { isFirst ? 0 : size / 256 }

  private mutating func forget(_ count: Int) {
    let excess = buffer.count - most
    if count < excess { isCut = true }
    buffer.removeFirst(max(count, excess, 0))
    isFirst = isFirst && max(count, excess) <= 0
    wanted = max(size, 2 * buffer.count)
  }

  /// Returns what `find` finds in the last window.
  mutating func finish<Found>(_ find: (Window) -> Found?) -> Found? {
    let window = Window(buffer, depth: depth, context: context, margin: 0)
    self = TextWindows(depth: depth, size: size)
    return find(window)
  }
}
