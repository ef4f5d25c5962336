#if PCRE2
  internal import CPCRE2
  internal import MessageModel

  /// A regular expression, compiled to machine code if the processor allows it. Letters, digits and case
  /// follow Unicode; invalid UTF-8 matches nothing and is harmless. The work for one text is bounded. Not
  /// thread-safe.
  final class TextPattern: PlacedPattern {
    private let code: OpaquePointer
    private let match: OpaquePointer
    private let context: OpaquePointer
    private let stack: OpaquePointer?

    /// The matcher's steps for one text: some tenths of a second.
    private static let matchLimit: UInt32 = 1_000_000
    private static let stackLimit = 1 << 20

    init(_ pattern: String) throws(StoreError) {
      var copy = pattern
      var errorCode: Int32 = 0
      var errorOffset = 0
      // Patterns cannot reach files or callouts; \C would match within characters.
      let options =
        UInt32(PCRE2_UTF) | UInt32(PCRE2_UCP) | UInt32(PCRE2_MATCH_INVALID_UTF)
        | UInt32(PCRE2_NEVER_BACKSLASH_C)
      let compiled = copy.withUTF8 { bytes in
        pcre2_compile_8(bytes.baseAddress, bytes.count, options, &errorCode, &errorOffset, nil)
      }
      guard let compiled else {
        throw StoreError(
          .invalidRequest, "cannot read the regular expression '\(VisibleText.of(pattern))'",
          cause: "\(Self.message(errorCode)), at byte \(errorOffset + 1)")
      }
      guard let match = pcre2_match_data_create_from_pattern_8(compiled, nil),
        let context = pcre2_match_context_create_8(nil)
      else {
        pcre2_code_free_8(compiled)
        throw StoreError(.inputOutput, "cannot search", cause: "out of memory")
      }
      self.match = match
      self.context = context
      pcre2_set_match_limit_8(context, Self.matchLimit)
      pcre2_set_heap_limit_8(context, UInt32(Self.stackLimit / 1_024 * 16))
      if pcre2_jit_compile_8(compiled, UInt32(PCRE2_JIT_COMPLETE)) == 0 {
        stack = pcre2_jit_stack_create_8(32_768, Self.stackLimit, nil)
        pcre2_jit_stack_assign_8(context, nil, stack.map(UnsafeMutableRawPointer.init))
      } else {
        stack = nil
      }
      code = compiled
    }

    deinit {
      pcre2_match_data_free_8(match)
      pcre2_match_context_free_8(context)
      pcre2_jit_stack_free_8(stack)
      pcre2_code_free_8(code)
    }

    func matches(_ bytes: UnsafeRawBufferPointer) throws(TooCostly) -> Bool {
      try find(in: bytes, from: 0)
    }

    func eachRange(in text: String, _ body: (Range<Int>) -> Bool) throws(TooCostly) {
      var copy = text
      let isDone = copy.withUTF8 { utf8 in
        let bytes = UnsafeRawBufferPointer(utf8)
        var start = 0
        do throws(TooCostly) {
          while start <= bytes.count, try find(in: bytes, from: start) {
            let range = found
            if !range.isEmpty, !body(range) { break }
            start = max(range.upperBound, start)
            if range.isEmpty { start = Self.next(after: start, in: bytes) }
          }
          return true
        } catch {
          return false
        }
      }
      if !isDone { throw TooCostly() }
    }

    private func find(in bytes: UnsafeRawBufferPointer, from start: Int) throws(TooCostly) -> Bool {
      // Older versions of PCRE2 reject a null pointer even with length 0.
      let base = bytes.baseAddress ?? UnsafeRawPointer(match)
      let result = pcre2_match_8(
        code, base.assumingMemoryBound(to: UInt8.self), bytes.count, start, 0, match, context)
      if result >= 0 { return true }
      if result == PCRE2_ERROR_NOMATCH { return false }
      throw TooCostly()
    }

    private var found: Range<Int> {
      guard let vector = pcre2_get_ovector_pointer_8(match) else { return 0..<0 }
      // With \K in a lookahead a match may begin after its end.
      return min(vector[0], vector[1])..<max(vector[0], vector[1])
    }

    private static func next(after index: Int, in bytes: UnsafeRawBufferPointer) -> Int {
      var next = index + 1
      while next < bytes.count, bytes[next] & 0xC0 == 0x80 { next += 1 }
      return next
    }

    private static func message(_ code: Int32) -> String {
      var buffer = [UInt8](repeating: 0, count: 256)
      let length = pcre2_get_error_message_8(code, &buffer, buffer.count)
      return length > 0 ? String(decoding: buffer[..<Int(length)], as: UTF8.self) : "error \(code)"
    }
  }
#endif
