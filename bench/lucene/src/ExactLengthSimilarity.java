import org.apache.lucene.index.FieldInvertState;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.Similarity;

/** BM25Similarity's arithmetic with the document length kept exactly instead of in one byte. */
final class ExactLengthSimilarity extends Similarity {
  private final float k1;
  private final float b;

  ExactLengthSimilarity(float k1, float b) {
    this.k1 = k1;
    this.b = b;
  }

  @Override
  public long computeNorm(FieldInvertState state) {
    return state.getLength() - state.getNumOverlap();
  }

  @Override
  public SimScorer scorer(float boost, CollectionStatistics field, TermStatistics... terms) {
    double n = field.docCount();
    double df = terms[0].docFreq();
    float idf = (float) Math.log(1 + (n - df + 0.5D) / (df + 0.5D));
    float average = (float) (field.sumTotalTermFreq() / n);
    float weight = boost * idf;
    return new SimScorer() {
      @Override
      public float score(float freq, long norm) {
        float normInverse = 1f / (k1 * ((1 - b) + b * (float) norm / average));
        return weight - weight / (1f + freq * normInverse);
      }
    };
  }
}
