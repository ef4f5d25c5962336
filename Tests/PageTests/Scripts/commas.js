// Names each statement of the given scripts that is several expressions joined by commas.
const typescript = require('typescript'), fs = require('node:fs')

const isJoined = (node) =>
  node && typescript.isBinaryExpression(node) && node.operatorToken.kind === typescript.SyntaxKind.CommaToken

let found = 0
for (const file of process.argv.slice(2)) {
  const source = typescript.createSourceFile(file, fs.readFileSync(file, 'utf8'), typescript.ScriptTarget.ES2022, true)
  const visit = (node) => {
    const isStatement = typescript.isExpressionStatement(node) || typescript.isReturnStatement(node)
    if (isStatement && isJoined(node.expression)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart())
      console.log(`${file}:${line + 1}: several expressions in one statement`)
      found++
    }
    typescript.forEachChild(node, visit)
  }
  visit(source)
}
process.exitCode = found ? 1 : 0
